/** Random values to fill a store with. Most are sound, some are not, and names repeat often enough to meet. */
import fc from 'fast-check'
import type { Body, NewEntry } from '../../src/store/contract/entry.js'

export const at = fc.integer({ min: 1, max: 6 }).map((day) => `2026-01-0${day}T00:00:00.000Z`)

export const sound = fc.oneof(
  fc.constantFrom('', 'a', 'hello', 'é', 'e\u0301', '\u{1f600}', '\uffff', "'; --", '\u202e', '__proto__'),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')),
)
const ill = fc.constantFrom('\ud83d', 'a\ude00', 'x\0y')
export const words = often(sound, ill, 30)

export const workspace = often(fc.constant('one'), fc.constant('two'), 30)
export const conversation = often(
  often(fc.constant('c'), fc.constantFrom('d', '\u{1f600}', '\uff5e'), 8),
  fc.constantFrom('nowhere', '', 'x\0y', '\ud83d'),
  40,
)
export const branch = often(fc.constant('main'), fc.constantFrom('side', '\u{1f600}'), 3)
export const limit = often(fc.integer({ min: 1, max: 6 }), fc.constantFrom(0, -1, 1.5, 5_000), 9)
export const json = fc.jsonValue({ maxDepth: 3 })

/** An entry: so many back from the newest one, or one that is not there. */
export type Place = { readonly back: number } | { readonly named: string }
const place: fc.Arbitrary<Place> = often(
  fc.nat(6).map((back) => ({ back })),
  fc.constantFrom({ named: 'nowhere' }, { named: 'x\0y' }),
  20,
)

export { place }
export const placeOrNone = fc.option(place, { freq: 6 })

/** Entries to write: new ones, or again some that are there, now and then in other words or with a fault. */
export interface Batch {
  readonly back: number
  readonly count: number
  readonly turn: 'as it was' | 'changed' | 'invalid'
}
export const batch: fc.Arbitrary<Batch> = fc.record({
  back: often(fc.constant(0), fc.integer({ min: 1, max: 4 }), 4),
  count: fc.integer({ min: 1, max: 3 }),
  turn: often(fc.constant('as it was' as const), fc.constantFrom('changed' as const, 'invalid' as const), 10),
})

/** The head a writer expects: none in mind, the true one, or any. */
export type Expectation =
  | { readonly kind: 'none' }
  | { readonly kind: 'head' }
  | { readonly kind: 'any'; readonly head: Place | null }
export const expectation: fc.Arbitrary<Expectation> = often(
  fc.constantFrom({ kind: 'none' as const }, { kind: 'head' as const }),
  placeOrNone.map((head) => ({ kind: 'any' as const, head })),
  7,
)

const callId = fc.constantFrom('k1', 'k2')
const parts = fc.array(fc.record({ type: fc.constant('text' as const), text: sound }), { maxLength: 2 })
const body: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      parts,
      status: fc.constantFrom('complete' as const, 'aborted' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.uniqueArray(callId, { minLength: 1 }).map((ids): Body => {
      const calls = ids.map(
        (id) => ({ type: 'call', id, name: 'f', input: {}, outcome: { state: 'pending' } }) as const,
      )
      return { kind: 'message', role: 'assistant', parts: calls, status: 'complete' }
    }),
  },
  { weight: 1, arbitrary: callId.map((callId): Body => ({ kind: 'result', callId, state: 'ok', output: [] })) },
  { weight: 1, arbitrary: parts.map((parts): Body => ({ kind: 'summary', parts, until: 'e0' })) },
  { weight: 1, arbitrary: json.map((data): Body => ({ kind: 'note', label: 'n', data })) },
)

/** What the entries of one run say, in turn: the same number says the same again. */
export type Lines = readonly Omit<NewEntry, 'id'>[]
export const lines: fc.Arbitrary<Lines> = fc.array(
  fc.record(
    {
      body,
      text: sound,
      tokens: fc.nat(30),
      at,
      author: sound,
      model: sound,
      meta: fc.dictionary(fc.constantFrom('b', 'a', '__proto__', '1'), json, { maxKeys: 3 }),
    },
    { requiredKeys: ['body', 'text', 'tokens', 'at'] },
  ),
  { minLength: 12, maxLength: 12 },
) as fc.Arbitrary<Lines>

/** Given once in so many times. */
export const some = <T>(value: fc.Arbitrary<T>, times = 2): fc.Arbitrary<T | undefined> =>
  often(fc.constant(undefined), value, times)

/** The second once in so many times. */
function often<T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>, times: number): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: times - 1, arbitrary: usual }, { weight: 1, arbitrary: rare }) as fc.Arbitrary<T | U>
}
