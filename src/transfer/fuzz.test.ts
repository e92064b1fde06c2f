/** Files that were cut, damaged or shuffled: a report, and whole conversations only. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { agents } from './agents.fixture.js'
import { chats } from './chats.fixture.js'
import { type Desk, transferDesk } from './import.fixture.js'
import { others } from './others.fixture.js'

const texts = [...chats, ...agents, ...others].map(({ file }) =>
  typeof file === 'string' ? file : JSON.stringify(file),
)

const damage = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constant('swap' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    with: fc.constantFrom('"', '{', ']', '\\', '\0', '9', '\ud800'),
  }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), size: fc.nat(60) }),
  fc.record({ kind: fc.constant('null' as const), nth: fc.nat(40) }),
)

/** What is here: all of it verifies, and no branch ends in nothing. */
async function checkWhole(desk: Desk): Promise<void> {
  for (const { id, entries } of await desk.conversations()) {
    expect(entries).toBeGreaterThan(0)
    expect(await desk.store.verify('default', id)).toMatchObject({ ok: true })
    for (const { head } of await desk.store.branches('default', id)) expect(head).not.toBeNull()
  }
}

describe('a damaged file', () => {
  test('never ends the import, and never leaves half a conversation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        async (text, damages) => {
          const desk = await transferDesk()
          const path = await desk.file('damaged', damages.reduce(damaged, text))
          const report = await desk.take(path)
          const stored = await desk.conversations()
          expect(stored.length).toBe(report.conversations.added)
          if (stored.length === 0) expect(report.skipped.length).toBeGreaterThan(0)
          await checkWhole(desk)
          expect((await desk.take(path)).messages.added).toBe(0)
        },
      ),
      { numRuns: runs },
    )
  })

  test('with any value in the place of any other is read as far as it can be', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...[...chats, ...agents, ...others].filter(({ file }) => typeof file === 'object')),
        fc.nat(200),
        anything,
        async ({ file }, nth, value) => {
          const desk = await transferDesk()
          await desk.take(await desk.file('strange', JSON.stringify(replaced(file, nth, value))))
          await checkWhole(desk)
        },
      ),
      { numRuns: runs },
    )
  })
})

function damaged(text: string, how: typeof damage extends fc.Arbitrary<infer T> ? T : never): string {
  if (how.kind === 'null') {
    const strings = [...text.matchAll(/:"[^"]*"/g)]
    const found = strings[how.nth % Math.max(1, strings.length)]
    return found ? `${text.slice(0, found.index)}:null${text.slice(found.index + found[0].length)}` : text
  }
  const at = Math.floor(how.at * text.length)
  if (how.kind === 'cut') return text.slice(0, at)
  if (how.kind === 'drop') return text.slice(0, at) + text.slice(at + how.size)
  return text.slice(0, at) + how.with + text.slice(at + 1)
}

/** The nth value inside, replaced. */
function replaced(value: unknown, nth: number, by: unknown): unknown {
  let left = nth
  const walk = (one: unknown): unknown => {
    if (left-- === 0) return by
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(value)
}
