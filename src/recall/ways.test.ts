import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { memoryStore } from '../store/memory/store.js'
import { createWays } from './ways.js'

const at = '2026-01-01T00:00:00Z'
const body = { kind: 'message', role: 'user', parts: [], status: 'complete' } as const
const branch = fc.constantFrom('main', 'side', 'again')

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('write' as const), branch, count: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), branch, back: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), branch }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  ),
  { minLength: 3, maxLength: 25 },
)

test('what counts leads to the head of main or of the branch written to last, and nothing else does', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const [store, ways, w, c] = [memoryStore(), createWays(), 'w', 'c']
      await store.create(w, { id: c, at })
      let written = 0
      const entries = (count: number) =>
        Array.from({ length: count }, () => ({ id: `e${++written}`, body, text: 'x', tokens: 1, at }))
      for (const step of [...given, { do: 'ask' as const }]) {
        if (step.do === 'write') await store.append(w, c, entries(step.count), { branch: step.branch, at })
        if (step.do === 'begin' && written > step.back)
          await store.append(w, c, entries(1), { branch: step.branch, from: `e${written - 1 - step.back || 1}`, at })
        if (step.do === 'remove') await store.removeBranch(w, c, step.branch).catch(() => {})
        if (step.do !== 'ask') continue
        const heads = (await store.branches(w, c)).map(({ name, head }) => ({ name, head: head as string }))
        const last = Math.max(0, ...heads.map(({ head }) => Number(head.slice(1))))
        const counted = heads.filter(({ name, head }) => name === 'main' || head === `e${last}`)
        const paths = await Promise.all(counted.map(({ head }) => store.path(w, c, head)))
        const counts = await ways({ store, workspace: w }, c)
        const all = Array.from({ length: written + 1 }, (_, seq) => seq)
        expect(all.filter(counts)).toEqual([...new Set(paths.flat().map(({ seq }) => seq))].sort((a, b) => a - b))
      }
    }),
    { numRuns: runs },
  )
})

test('nothing counts of a conversation that is not there, or no longer', async () => {
  const [store, ways] = [memoryStore(), createWays()]
  await store.create('w', { id: 'gone', at })
  await store.remove('w', 'gone')
  for (const id of ['gone', 'nowhere']) expect((await ways({ store, workspace: 'w' }, id))(1)).toBe(false)
})
