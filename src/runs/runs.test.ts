import { describe, expect, test } from 'vitest'
import { ModelError } from '../models/wire/contract.js'
import type { RunEvent } from './contract.js'
import { enqueue } from './queue.js'
import { finish, gate, place, type Script, saying, stage } from './runs.fixture.js'
import { openRuns } from './runs.js'

const told = (events: readonly { readonly type: string }[]): string[] => events.map(({ type }) => type)

describe('a run', () => {
  test('appends the message, answers it, and keeps the receipt beside the answer', async () => {
    const { say, texts, store } = stage(saying('hello there'))
    const run = await say('hi')
    expect(run).toMatchObject({ state: 'done', finish: 'stop', usage: { input: 10, output: 2 }, error: null })
    expect(await texts()).toEqual(['hi', 'hello there'])
    const receipt = await store.getReceipt('w', run.receipt as string)
    expect(receipt).toMatchObject({ entry: run.id, body: { run: run.id, branch: 'main' } })
  })

  test('is told of in events that are numbered without a gap', async () => {
    const { say, events } = stage(saying('one two'))
    await say('hi')
    const all = await events()
    expect(told(all).filter((type) => type !== 'conversation-changed')).toEqual([
      'entry-added',
      'run-started',
      'window-made',
      'text-delta',
      'entry-added',
      'run-ended',
    ])
    expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1))
  })

  test('shows the model the turns before it, and the current message once', async () => {
    const { say, requests, events } = stage(saying('ok'))
    await say('first')
    await say('second')
    const texts = requests[1]?.items.map(({ text }) => text)
    expect(texts).toEqual(['first', 'ok', 'second'])
    const made = (await events()).filter(({ type }) => type === 'window-made').map(({ data }) => data)
    expect(made).toMatchObject([
      { messages: 1, dropped: 0 },
      { messages: 3, dropped: 0 },
    ])
  })

  test('with a key that is known gives the run that is known', async () => {
    const { runs, say, texts } = stage(saying('ok'))
    const first = await say('hi', { key: 'k' })
    const again = await runs.start({ ...place, message: 'hi', key: 'k' })
    expect(again).toMatchObject({ repeated: true, run: { id: first.id, state: 'done' } })
    expect(await again.ended).toEqual(first)
    expect(await texts()).toEqual(['hi', 'ok'])
    await expect(runs.start({ ...place, message: 'other', key: 'k' })).rejects.toMatchObject({ code: 'key_reused' })
  })

  test('gives the conversation its first words as a title', async () => {
    const { say, store } = stage(saying('ok'))
    await say('Where shall we go in May?\nMore below.')
    await expect.poll(async () => (await store.get('w', 'c'))?.title).toBe('Where shall we go in May?')
  })

  test('adds to the figures of its conversation and day', async () => {
    const { say, store } = stage(saying('ok'))
    await say('one')
    await say('two')
    const { items } = await store.records('w', { kind: 'usage', limit: 10 })
    expect(items[0]?.body).toMatchObject({ runs: 2, done: 2, messages: 4, output: 4 })
  })
})

describe('a run that fails', () => {
  const failing = (error: unknown, before: readonly string[] = []): Script =>
    async function* () {
      for (const text of before) yield { type: 'text', text }
      throw error
    }

  test('leaves the message and no answer, and what the provider said is nowhere', async () => {
    const { say, texts, events } = stage(failing(new ModelError('overloaded', 'busy', { cause: 'SECRET TEXT' })))
    const run = await say('hi')
    expect(run).toMatchObject({ state: 'failed', entry: null, error: { code: 'overloaded' } })
    expect(await texts()).toEqual(['hi'])
    expect(JSON.stringify(await events())).not.toContain('SECRET')
  })

  test('keeps what it had said as an aborted message', async () => {
    const { say, path } = stage(failing(new ModelError('cut', 'cut'), ['half an ']))
    const run = await say('hi')
    expect(run).toMatchObject({ state: 'failed', error: { code: 'cut' } })
    expect((await path()).at(-1)).toMatchObject({ id: run.id, text: 'half an ', body: { status: 'aborted' } })
  })

  test('does not stand in the way of the next turn', async () => {
    const { say, requests } = stage((request, call) =>
      call === 0 ? failing(new ModelError('cut', 'cut'), ['half'])(request, call) : saying('whole')(request, call),
    )
    await say('hi')
    expect(await say('again')).toMatchObject({ state: 'done' })
    expect(requests[1]?.items.at(-1)?.text).toBe('again')
  })

  test('for want of a finish is not done', async () => {
    const { say } = stage(async function* () {
      yield { type: 'text', text: 'and then' }
    })
    expect(await say('hi')).toMatchObject({ state: 'failed', error: { code: 'cut' } })
  })

  test('drops a call whose arguments never ended', async () => {
    const { say, path } = stage(async function* () {
      yield { type: 'text', text: 'let me see' }
      yield { type: 'call-start', id: 'a', name: 'look' }
      yield { type: 'call-delta', id: 'a', json: '{"pa' }
      throw new ModelError('cut', 'cut')
    })
    await say('hi')
    expect((await path()).at(-1)?.body).toMatchObject({ parts: [{ type: 'text', text: 'let me see' }] })
  })
})

describe('the ladder', () => {
  test('sends less and less when the model says that it was too much, and tells of each step', async () => {
    const { say, requests, events } = stage(async function* (request, call) {
      if (call >= 8 && request.items.length > 3) throw new ModelError('overflow', 'too much')
      yield* saying(`answer ${call}`)(request, call)
    })
    for (let i = 0; i < 8; i++) await say(`question ${i}`)
    expect(await say('last')).toMatchObject({ state: 'done' })
    const tries = requests.slice(8).map(({ items }) => items.length)
    expect(tries[0]).toBe(17)
    expect([...tries].sort((a, b) => b - a)).toEqual(tries)
    const steps = ((await events()) as unknown as RunEvent[]).flatMap((event) =>
      event.type === 'window-made' ? [event.data.step] : [],
    )
    expect(steps.slice(-tries.length)).toEqual(tries.map((_, i) => i))
    expect(requests.at(-1)?.items.at(-1)?.text).toBe('last')
  })

  test('ends with the message alone, and then with a failed run', async () => {
    const { say, requests } = stage(async function* (request, call) {
      if (call > 2) throw new ModelError('overflow', 'too much')
      yield* saying('ok')(request, call)
    })
    for (const text of ['one', 'two', 'three']) await say(text)
    expect(await say('four')).toMatchObject({ state: 'failed', error: { code: 'overflow' } })
    expect(requests.at(-1)?.items.map(({ text }) => text)).toEqual(['four'])
  })
})

describe('while a run is at work', () => {
  const held = () => {
    const { passed, open } = gate()
    const script: Script = async function* (request, call) {
      yield { type: 'text', text: `answer ${call} ` }
      if (call === 0) await Promise.race([passed, aborted(request.signal)])
      yield { type: 'text', text: 'ends' }
      yield finish
    }
    return { script, open }
  }
  const aborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  test('a second one is refused with the id of the first', async () => {
    const { script, open } = held()
    const { runs, texts } = stage(script)
    const { run, ended } = await runs.start({ ...place, message: 'one' })
    await expect(runs.start({ ...place, message: 'two' })).rejects.toMatchObject({
      code: 'busy',
      issues: [{ value: run.id }],
    })
    open()
    await ended
    expect(await texts()).toEqual(['one', 'answer 0 ends'])
  })

  test('others wait in line and get their turns in order', async () => {
    const { script, open } = held()
    const { runs, texts } = stage(script)
    await runs.start({ ...place, message: 'one' })
    const two = await runs.start({ ...place, message: 'two', whenBusy: 'queue' })
    const three = await runs.start({ ...place, message: 'three', whenBusy: 'queue' })
    expect(two.run.state).toBe('queued')
    open()
    expect(await three.ended).toMatchObject({ state: 'done', id: three.run.id })
    expect(await two.ended).toMatchObject({ state: 'done', id: two.run.id })
    expect(await texts()).toEqual(['one', 'answer 0 ends', 'two', 'answer 1 ends', 'three', 'answer 2 ends'])
  })

  test('one in line can be stopped before its turn', async () => {
    const { script, open } = held()
    const { runs, texts } = stage(script)
    const one = await runs.start({ ...place, message: 'one' })
    const two = await runs.start({ ...place, message: 'two', whenBusy: 'queue' })
    expect(await runs.stop('w', 'c', two.run.id)).toMatchObject({ state: 'stopped' })
    open()
    await one.ended
    expect(await texts()).toEqual(['one', 'answer 0 ends'])
  })

  test('one in line that can never begin fails, is told so, and those behind it get their turns', async () => {
    const { script, open } = held()
    const { runs, texts, events } = stage(script)
    const { run } = await runs.start({ ...place, message: 'one' })
    const waits = { ...place, whenBusy: 'queue' } as const
    // the answer that it waits for moves the branch on
    const two = await runs.start({ ...waits, message: 'two', expect: run.asked })
    const three = await runs.start({ ...waits, message: 'three' })
    expect([two.run.state, three.run.state]).toEqual(['queued', 'queued'])
    open()
    expect(await three.ended).toMatchObject({ state: 'done', id: three.run.id })
    expect(await two.ended).toMatchObject({ state: 'failed', error: { code: 'head_moved' } })
    expect(await runs.get('w', 'c', two.run.id)).toMatchObject({ state: 'failed' })
    expect(await texts()).toEqual(['one', 'answer 0 ends', 'three', 'answer 1 ends'])
    expect(told(await events()).filter((type) => type === 'run-ended')).toHaveLength(3)
  })

  test('stopping it keeps what it had said, and stopping again changes nothing', async () => {
    const { script } = held()
    const { runs, path, say, events } = stage(script)
    const { run } = await runs.start({ ...place, message: 'one' })
    await expect.poll(async () => told(await events())).toContain('text-delta')
    const stopped = await runs.stop('w', 'c', run.id)
    expect(stopped).toMatchObject({ state: 'stopped', entry: run.id, error: null })
    expect(await runs.stop('w', 'c', run.id)).toEqual(stopped)
    expect((await path()).at(-1)).toMatchObject({ text: 'answer 0 ', body: { status: 'aborted' } })
    expect(await say('two')).toMatchObject({ state: 'done' })
  })

  test('it can be stopped from another server', async () => {
    const { script } = held()
    const { runs, store } = stage(script)
    const { run } = await runs.start({ ...place, message: 'one' })
    const other = openRuns({ store, models: { usual: '', list: async () => [], find: () => Promise.reject() } })
    expect(await other.stop('w', 'c', run.id)).toMatchObject({ state: 'stopped', id: run.id })
  })

  test('draining lets it end, and stops it when the time is up', async () => {
    const { script } = held()
    const { runs } = stage(script)
    const { ended } = await runs.start({ ...place, message: 'one' })
    await runs.drain(20)
    expect(await ended).toMatchObject({ state: 'interrupted', error: { code: 'interrupted' } })
    await expect(runs.start({ ...place, message: 'two' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('following', () => {
  test('gives what there was and then each new event, from any number', async () => {
    const { runs, say, events } = stage(saying('ok'))
    const first = (await say('one')).id
    const control = new AbortController()
    const seen: number[] = []
    const reading = (async () => {
      for await (const event of runs.follow('w', 'c', 2, control.signal)) {
        seen.push(event.number)
        const data = event.data as { readonly run?: { readonly id: string } }
        if (event.type === 'run-ended' && data.run?.id !== first) control.abort()
      }
    })()
    await say('two')
    await reading
    const all = (await events()).map(({ number }) => number)
    expect(seen).toEqual(all.slice(2, 2 + seen.length))
    expect(seen.length).toBeGreaterThan(8)
  })

  test('a past that was trimmed is gone', async () => {
    const { runs, say, store } = stage(saying('ok'))
    await say('one')
    await store.trimEvents('w', 'c', 3)
    const reader = runs.follow('w', 'c', 1, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(reader.next()).rejects.toMatchObject({ code: 'events_expired' })
  })
})

describe('a server that goes away', () => {
  test('leaves what it had told of as one aborted message, and the line moves on', async () => {
    let seconds = 0
    const { memoryStore } = await import('../store/memory/store.js')
    const store = memoryStore(() => seconds)
    const dead = stage(
      async function* () {
        yield { type: 'text', text: 'as far as ' }
        await new Promise(() => {})
      },
      { store, leaseSeconds: 30 },
    )
    const { run } = await dead.runs.start({ ...place, message: 'one' })
    await expect.poll(async () => told(await dead.events())).toContain('text-delta')
    await dead.runs.start({ ...place, message: 'two', whenBusy: 'queue' })
    const alive = stage(saying('answered'), { store })
    expect(await alive.runs.recover(['w'])).toBe(0)
    seconds = 100
    expect(await alive.runs.recover(['w'])).toBe(1)
    expect(await alive.runs.get('w', 'c', run.id)).toMatchObject({ state: 'interrupted', entry: run.id })
    await expect.poll(() => alive.texts()).toEqual(['one', 'as far as ', 'two', 'answered'])
    expect(await alive.runs.recover(['w'])).toBe(0)
  })

  test('and comes back is fenced off: the run has one end', async () => {
    let seconds = 0
    const { memoryStore } = await import('../store/memory/store.js')
    const store = memoryStore(() => seconds)
    const { passed, open } = gate()
    const zombie = stage(
      async function* () {
        yield { type: 'text', text: 'before ' }
        await passed
        yield { type: 'text', text: 'after' }
        yield finish
      },
      { store, leaseSeconds: 30 },
    )
    const { run, ended } = await zombie.runs.start({ ...place, message: 'one' })
    await expect.poll(async () => told(await zombie.events())).toContain('text-delta')
    seconds = 100
    await stage(saying('x'), { store }).runs.recover(['w'])
    open()
    expect(await ended).toMatchObject({ id: run.id, state: 'interrupted' })
    expect(await zombie.texts()).toEqual(['one', 'before '])
    expect(told(await zombie.events()).filter((type) => type === 'run-ended')).toHaveLength(1)
  })
})

test('a request that got in line on one server and began on another ends once, also when it is stopped (F-20)', async () => {
  const { passed, open } = gate()
  const slow: Script = async function* () {
    yield { type: 'text', text: 'word ' }
    await passed
    yield finish
  }
  const one = stage(slow)
  const other = stage(slow, { store: one.store })
  await one.store.create('w', { id: 'c', at: '2026-01-01T00:00:00.000Z' })
  const request = { ...place, message: 'second', whenBusy: 'queue', key: 'k1' } as const
  const started = await one.runs.start(request)
  await enqueue(one.store, request, { ...started.run, state: 'queued' }, 'run_before')
  expect(await other.runs.get('w', 'c', started.run.id)).toMatchObject({ state: 'active' })
  const stopped = other.runs.stop('w', 'c', started.run.id)
  await started.ended
  expect(await stopped).toMatchObject({ id: started.run.id, state: 'stopped' })
  open()
  await one.runs.recover(['w'])
  const ends = (await one.events()).filter(
    ({ type, data }) => type === 'run-ended' && JSON.stringify(data).includes(started.run.id),
  )
  expect(ends).toHaveLength(1)
})

test('a request without a message that comes again with its key is the same run, at once and when it is over (F-20)', async () => {
  const { say, store, runs, texts, events } = stage(saying('hello there'))
  const other = stage(saying('hello there'), { store })
  await say('hi')
  const again = { ...place, key: 'again' }
  const both = await Promise.all([runs.start(again), other.runs.start(again)])
  const late = await runs.start(again)
  const [first, ...others] = await Promise.all([...both, late].map(({ ended }) => ended))
  expect(others).toEqual([first, first])
  expect(both.filter(({ repeated }) => repeated)).toHaveLength(1)
  expect(late.repeated).toBe(true)
  expect(await texts()).toEqual(['hi', 'hello there', 'hello there'])
  expect(told(await events()).filter((type) => type === 'run-started')).toHaveLength(2)
})

test('a request without a message that comes twice runs once, though one of them is held up until the other is over (F-20)', async () => {
  const { say, store, runs, texts, events } = stage(saying('hello there'))
  await say('hi')
  const again = { ...place, key: 'again' }
  let first: unknown = null
  const slow: typeof store = {
    ...store,
    async commit(...given) {
      first ??= await (await runs.start(again)).ended
      return store.commit(...given)
    },
  }
  const late = await stage(saying('hello there'), { store: slow }).runs.start(again)
  expect([late.repeated, await late.ended]).toEqual([true, first])
  expect(await texts()).toEqual(['hi', 'hello there', 'hello there'])
  expect(told(await events()).filter((type) => type === 'run-started')).toHaveLength(2)
})

test('a run that begins while it is stopped in line ends once (F-20)', async () => {
  const { passed, open } = gate()
  const slow: Script = async function* () {
    await passed
    yield finish
  }
  const one = stage(slow)
  await one.store.create('w', { id: 'c', at: '2026-01-01T00:00:00.000Z' })
  const request = { ...place, message: 'hi', whenBusy: 'queue', key: 'k1' } as const
  const { id } = (await one.runs.start(request)).run
  await one.runs.stop('w', 'c', id)
  const waiting = { ...request, key: 'k2' }
  const { run } = await stage(slow).runs.start({ ...waiting, conversation: 'c' })
  await enqueue(one.store, waiting, { ...run, state: 'queued' }, id)
  let [looks, ended]: [number, Promise<unknown>] = [0, Promise.resolve()]
  const late: typeof one.store = {
    ...one.store,
    async getRecord(workspace, kind, name) {
      const found = await one.store.getRecord(workspace, kind, name)
      if (kind === 'queued' && ++looks === 2) ended = (await one.runs.start(waiting)).ended
      return found
    },
  }
  const stopped = await stage(slow, { store: late }).runs.stop('w', 'c', run.id)
  open()
  await ended
  expect([looks > 1, stopped.state]).toEqual([true, 'stopped'])
  expect((await one.events()).filter(({ type }) => type === 'run-ended')).toHaveLength(2)
})

test('a run that ends while it is looked for is found', async () => {
  const { store, say, runs } = stage(saying('hello there'))
  const { id } = await say('hi')
  let looks = 0
  const late: typeof store = {
    ...store,
    // as a reader saw it who asked a moment before the end, and for its draft a moment after
    getRecord: async (workspace, kind, name) =>
      kind === 'run' && looks++ === 0 ? null : store.getRecord(workspace, kind, name),
  }
  const reader = openRuns({ store: late, models: { usual: 'x', list: async () => [], find: () => Promise.reject() } })
  expect(await reader.get('w', 'c', id)).toEqual(await runs.get('w', 'c', id))
})
