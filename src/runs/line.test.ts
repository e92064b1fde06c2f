import { expect, test } from 'vitest'
import { enqueue } from './queue.js'
import { gate, place, type Script, saying, stage } from './runs.fixture.js'

test('a run that was stopped before it got in line again does not keep those behind it waiting (F-20)', async () => {
  const { passed, open } = gate()
  let asked = 0
  const slowAtFirst: Script = async function* (...given) {
    if (asked++ === 0) await passed
    yield* saying('hello there')(...given)
  }
  const { runs, store } = stage(slowAtFirst)
  await store.create('w', { id: 'c', at: '2026-01-01T00:00:00.000Z' })
  const ask = (key: string) => ({ ...place, message: key, key, whenBusy: 'queue' }) as const
  const first = await runs.start(ask('first'))
  const waits = await runs.start(ask('stopped'))
  expect(await runs.stop('w', 'c', waits.run.id)).toMatchObject({ state: 'stopped' })
  // the same request, sent twice, whose second copy was held up on its way
  await enqueue(store, ask('stopped'), waits.run, first.run.id)
  const last = await runs.start(ask('last'))
  open()
  await first.ended
  expect(await last.ended).toMatchObject({ state: 'done' })
  const left = await store.records('w', { kind: 'queued', conversation: 'c', limit: 10 })
  expect(left.items).toEqual([])
})
