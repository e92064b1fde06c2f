import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/runs.js'
import { entriesOf } from '../../../engine/window/entries.js'
import { writingOf } from '../../../engine/writing.js'
import type { Entry } from '../../../store/contract/entry.js'
import { entryIdIn, itemId } from './item.js'
import { itemsOf } from './show.js'
import { takeItems } from './take.js'

let last = 0
const newId = () => `e${++last}`
const writing = writingOf({ id: newId, now: () => '2026-01-01T00:00:00.000Z' })

/** Into the log and out of it. */
function through(...items: readonly unknown[]) {
  const { messages } = takeItems(items, 'input', newId)
  const entries = messages.flatMap((message) => entriesOf(message, writing))
  return entries.flatMap((entry) => itemsOf({ ...entry, redacted: false } as Entry))
}

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const json = fc.jsonValue({ maxDepth: 2 })
const more = fc.dictionary(fc.constantFrom('phase', 'status', 'x', 'action', 'caller'), json, { maxKeys: 2 })
const part = fc.oneof(
  fc.record({ type: fc.constant('input_text'), text: words }),
  fc.record({
    type: fc.constant('input_image'),
    detail: fc.constant('auto'),
    image_url: fc.constant('https://a.b/c.png'),
  }),
)
const known = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constant('user'),
    content: fc.array(part, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('message'),
    role: fc.constant('assistant'),
    content: fc.array(fc.record({ type: fc.constant('output_text'), text: words, annotations: fc.constant([]) }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  fc.record({
    type: fc.constant('function_call'),
    call_id: words,
    name: fc.constantFrom('look', 'say'),
    arguments: fc.oneof(
      json.map((value) => JSON.stringify({ value })),
      fc.constantFrom('', '{"a":1,', '{"b": 2}'),
    ),
  }),
  fc.record({ type: fc.constant('function_call_output'), call_id: words, output: fc.oneof(words, fc.array(part)) }),
  fc.record({ type: fc.constant('reasoning'), id: words, summary: fc.constant([]), encrypted_content: words }),
)
const strange = fc.record({
  type: fc.constantFrom('hologram', 'web_search_call', 'mcp_list_tools', 'shell_call'),
  id: words,
})
const item = fc.tuple(fc.oneof(known, strange), more).map(([one, rest]) => ({ ...rest, ...one }))

/** As the server completes them. */
const completed = (given: Record<string, unknown>) => {
  const isCompleted = ['message', 'function_call', 'function_call_output'].includes(String(given.type))
  return isCompleted ? { ...given, status: given.status ?? 'completed' } : given
}

describe('items', () => {
  test('come back as they went in, whatever they are', () => {
    fc.assert(
      fc.property(item, (given) => {
        const [out, ...rest] = through(given)
        const { id, ...shown } = out as Record<string, unknown>
        expect(rest).toEqual([])
        expect(id).toEqual(expect.any(String))
        expect(typeof (given as { id?: unknown }).id === 'string' ? { id, ...shown } : shown).toEqual(completed(given))
      }),
      { numRuns: runs },
    )
  })

  test('of a type that is not known keep their bytes', () => {
    const given = { type: 'hologram', z: 1, id: 'h', a: { c: null, b: [true] } }
    expect(through(given).map((one) => JSON.stringify(one))).toEqual([JSON.stringify(given)])
  })

  test('are stored once where the log says it all', () => {
    const { messages } = takeItems(
      [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hello.' },
      ],
      'x',
      newId,
    )
    expect(messages.every((message) => message.kind === 'said' && message.meta === undefined)).toBe(true)
  })

  test('of the operator are kept, and said apart', () => {
    const taken = takeItems([{ role: 'developer', content: 'Be brief.' }], 'x', newId)
    expect(taken).toMatchObject({ system: ['Be brief.'], messages: [{ kind: 'note' }] })
  })

  test.each([
    [{}, 'input[0].type'],
    [{ role: 'user' }, 'input[0].content'],
    [{ role: 5, content: 'x' }, 'input[0].role'],
    [{ role: 'user', content: '' }, 'input[0]'],
    [{ role: 'user', content: [5] }, 'input[0].content'],
  ])('%j is refused with its place', (given, path) => {
    expect(() => takeItems([given], 'input', newId)).toThrow(path)
  })

  test('an id leads back to its entry', () => {
    expect(entryIdIn(itemId('message', 'run_1'))).toBe('run_1')
    expect(entryIdIn(itemId('function_call', 'run_1', 3))).toBe('run_1')
    expect(entryIdIn(itemId('hologram', 'a-b_c'))).toBe('a-b_c')
  })
})
