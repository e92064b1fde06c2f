import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewEntry } from '../../src/store/contract/entry.js'
import type { SearchQuery } from '../../src/store/contract/search.js'
import type { Store } from '../../src/store/contract/store.js'
import { post } from '../../src/store/memory/postings.js'
import { pinned, runs } from '../runs.js'
import { openMemory } from './memory.js'
import { type Scan, scanOf } from './scan.js'

const w = 'one'
const model = 'm/2'
const [talks, branches, roles] = [
  ['c', 'b', 'd'],
  ['main', 'side'],
  ['user', 'assistant', 'tool'],
] as const

// few letters, so that many words begin alike
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 }),
  fc.constantFrom('猫', '東京都', 'É', 'ab12'),
)
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
const day = fc.integer({ min: 1, max: 5 }).map((n) => `2026-01-0${n}T00:00:00.000Z`)
const angle = fc.integer({ min: 0, max: 12 })
const towards = (n: number): Float32Array =>
  n === 0 ? new Float32Array(2) : Float32Array.of(Math.cos(n / 4), Math.sin(n / 4))

const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const query = fc.record({
  text,
  conversation: maybe(fc.constantFrom(...talks)),
  branch: maybe(fc.constantFrom(...branches)),
  role: maybe(fc.constantFrom(...roles)),
  tag: maybe(fc.constant('x')),
  since: maybe(day),
  until: maybe(day),
  near: maybe(angle),
  limit: fc.integer({ min: 1, max: 4 }),
})

type Query = typeof query extends fc.Arbitrary<infer T> ? T : never
type Step =
  | readonly ['append', string, string, readonly string[], number]
  | readonly ['redact', string, number]
  | readonly ['remove', string]
  | readonly ['reindex', number]
  | readonly ['embed', readonly number[]]
  | readonly ['find', Query]

const back = fc.nat(8)
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(
        fc.constant('append' as const),
        fc.constantFrom(...talks),
        fc.constantFrom(...branches),
        fc.array(text, { minLength: 1, maxLength: 6 }),
        back,
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('redact' as const), fc.constantFrom(...talks), back) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('remove' as const), fc.constantFrom(...talks)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('reindex' as const), fc.integer({ min: 1, max: 9 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('embed' as const), fc.array(angle, { minLength: 1, maxLength: 6 })) },
    { weight: 8, arbitrary: fc.tuple(fc.constant('find' as const), query) },
  ),
  { minLength: 4, maxLength: 40, size: 'max' },
)

type Memory = ReturnType<typeof openMemory>

async function agree(given: readonly Step[], wrong: (memory: Memory) => Partial<Store> = () => ({})): Promise<void> {
  const memory = openMemory()
  const store = { ...memory.store, ...wrong(memory) }
  const scan = scanOf(() => memory.workspaces.get(w))
  for (const id of talks) await store.create(w, { id, at, ...(id === 'c' ? { tags: ['x'] } : null) })
  for (const step of given) await take(store, scan, step)
}

const at = '2026-01-01T00:00:00.000Z'
let ids = 0

async function take(store: Store, scan: Scan, step: Step): Promise<void> {
  if (step[0] === 'find') return compare(store, scan, step[1])
  if (step[0] === 'embed') {
    const missing = await store.unembedded(w, model, step[1].length)
    const vectors = missing.map(({ conversation, seq }, i) => ({
      conversation,
      seq,
      vector: towards(step[1][i] as number),
    }))
    await store.putVectors(w, model, vectors)
    scan.look()
    return scan.embed(vectors)
  }
  if (step[0] === 'reindex') {
    for (let cursor: string | null = '', count = 0; cursor !== null && count < 200; count++)
      cursor = (await store.reindex(w, { limit: step[1], ...(cursor && { cursor }) })).cursor
    return scan.look()
  }
  const [what, c] = step
  const written = await store.feed(w, c, 0, 1_000).catch(() => null)
  // it was removed before
  if (!written) return
  if (what === 'remove') await store.remove(w, c)
  const chosen = written.at(-1 - (step.at(-1) as number))
  if (what === 'redact' && chosen) await store.redact(w, c, chosen.id)
  if (what !== 'append') return
  const from = step[2] === 'side' && chosen ? { from: chosen.id } : null
  await store.append(w, c, step[3].map(entryOf), { branch: step[2], at, ...from })
}

const entryOf = (said: string, n: number): NewEntry => ({
  id: `e${ids++}`,
  text: said,
  tokens: 1,
  at: `2026-01-0${1 + (n % 5)}T00:00:00.000Z`,
  body: { kind: 'message', role: n % 2 === 0 ? 'user' : 'assistant', parts: [], status: 'complete' },
})

/** Page by page against all at once. */
async function compare(
  store: Store,
  scan: Scan,
  { limit, near: to, branch, conversation, ...rest }: Query,
): Promise<void> {
  const near = to === undefined ? undefined : { model, vector: towards(to), by: 'meaning' as const, least: 0.3 }
  const asked = JSON.parse(JSON.stringify({ ...rest, conversation, branch: conversation && branch })) as Omit<
    SearchQuery,
    'limit'
  >
  const query = { ...asked, ...(near && { near }) }
  const found: string[] = []
  for (let cursor: string | null = '', count = 0; cursor !== null && count < 500; count++) {
    const page = await store.search(w, { ...query, limit, ...(cursor && { cursor }) })
    found.push(...page.items.map(({ entry }) => entry))
    cursor = page.cursor
  }
  expect(found).toEqual(scan.find(query))
}

describe('the index of the memory store', () => {
  test('finds what a look at every entry finds, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (given) => agree(given)),
      { numRuns: Math.ceil(runs / 3) },
    )
  })
})

describe('the comparison', () => {
  const isCaught = (wrong: (memory: Memory) => Partial<Store>) =>
    expect(
      fc.assert(
        fc.asyncProperty(steps, (given) => agree(given, wrong)),
        { ...pinned, numRuns: 500, endOnFailure: true },
      ),
    ).rejects.toThrow()

  test('finds an index that forgets a word with the first entry that loses it', () =>
    isCaught(({ store, workspaces }) => ({
      async redact(...given) {
        const { places } = workspaces.get(w)?.listing.postings ?? { places: new Map<string, number[]>() }
        const before = new Map([...places].map(([term, { length }]) => [term, length]))
        const removal = await store.redact(...given)
        for (const [term, length] of before) if (length !== places.get(term)?.length) places.delete(term)
        return removal
      },
    })))

  test('finds an index that takes a word for one of an entry that has it not', () =>
    isCaught(({ store, workspaces }) => ({
      async reindex(...given) {
        const listing = workspaces.get(w)?.listing
        const [first] = listing?.all.values() ?? []
        if (listing && first) post(listing.postings, first.place, ['aa'])
        return store.reindex(...given)
      },
    })))

  test('finds an index that loses the meaning of what stands beside', () =>
    isCaught(({ store, workspaces }) => ({
      async redact(...given) {
        for (const { bySize } of workspaces.get(w)?.vectors.values() ?? [])
          for (const vectors of bySize.values()) vectors.drop([1])
        return store.redact(...given)
      },
    })))
})
