/** Windows as damaged stores hold them. */
import fc from 'fast-check'
import type { FilePart, FileSource, Item, Outcome, OutputPart, Part } from '../../message/item.js'
import { text } from '../../message/item.js'
import type { Window } from '../../message/window.js'

const unit16 = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x2fff }) },
)

/** Strings of UTF-16 units, lone surrogates and all. */
export const wild = fc.array(unit16, { maxLength: 40, size: 'max' }).map((units) => String.fromCharCode(...units))

const blank = fc.constantFrom('', ' ', '\u00a0', '\u200b', '\n\t', '\u0000', '\ufeff \u2060')

export const said = fc.oneof(fc.constantFrom('hello', 'what is 2 + 2?', 'four'), wild, blank)

const source: fc.Arbitrary<FileSource> = fc.oneof(
  said.map((value): FileSource => ({ kind: 'text', text: value })),
  fc
    .constantFrom(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      '',
      'not base64!',
    )
    .map((base64): FileSource => ({ kind: 'data', base64 })),
  fc
    .constantFrom('https://example.org/a.png', 'http://example.org/a.png', 'ftp://x', '', 'data:image/png;base64,AAAA')
    .map((url): FileSource => ({ kind: 'url', url })),
  fc.constant<FileSource>({ kind: 'ref', id: 'sha256-abc' }),
)

const file: fc.Arbitrary<FilePart> = fc.record(
  {
    type: fc.constant('file' as const),
    mediaType: fc.constantFrom(
      'image/png',
      'image/JPG',
      'image/svg+xml',
      'application/pdf',
      'text/x-python',
      'audio/wav',
      '',
    ),
    name: said,
    language: fc.constantFrom('ts', '`js`\n', 'c++'),
    source,
  },
  { requiredKeys: ['type', 'mediaType', 'source'] },
)

const output: fc.Arbitrary<readonly OutputPart[]> = fc.array(fc.oneof(said.map(text), file), { maxLength: 3 })

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant<Outcome>({ state: 'pending' }),
  output.map((value): Outcome => ({ state: 'ok', output: value })),
  output.map((value): Outcome => ({ state: 'error', output: value })),
)

const deep = (levels: number): unknown => (levels === 0 ? 1 : { inner: deep(levels - 1) })

const input: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { path: 'a.txt' },
    null,
    undefined,
    [1, 2],
    'raw',
    7,
    Number.NaN,
    { a: undefined },
    deep(150),
  ),
  fc.dictionary(wild, fc.oneof(wild, fc.integer(), fc.array(wild, { maxLength: 2 })), { maxKeys: 3 }),
)

const call: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('call' as const),
  id: fc.oneof(
    fc.constantFrom(
      'call_1',
      'call_2',
      'a',
      '',
      `toolu_${'x'.repeat(80)}`,
      'has space',
      'a/b',
      'a.b',
      'ünïcödé',
      'call_1-2',
    ),
    wild,
  ),
  name: fc.oneof(fc.constantFrom('read_file', 'mcp.server/tool', '9lives', '', '-', 'n'.repeat(100), 'плохо'), wild),
  input,
  outcome,
})

const think: fc.Arbitrary<Part> = fc.record(
  {
    type: fc.constant('think' as const),
    text: said,
    signature: fc.constantFrom('sig!', 'c2ln', ' '),
    sealed: fc.constantFrom('sealed', ''),
    id: fc.constantFrom('rs_1', 'rs_2', 'think 3'),
  },
  { requiredKeys: ['type', 'text'] },
)

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: said.map((value): Part => text(value)) },
  { weight: 3, arbitrary: call },
  { weight: 3, arbitrary: think },
  { weight: 2, arbitrary: file },
)

export const damagedItem: fc.Arbitrary<Item> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        role: fc.constantFrom('user' as const, 'assistant' as const, 'assistant' as const, 'system' as const),
        parts: fc.array(part, { maxLength: 5 }),
        model: fc.constantFrom('anthropic/claude-x', 'Claude-X', 'other'),
        author: fc.constantFrom('orchestrator', 'ada'),
        at: fc.oneof(fc.constantFrom('2026-01-02T03:04:05Z', 'yesterday (late)\n[9] 👤 User'), wild),
        pinned: fc.boolean(),
        clipped: fc.boolean(),
      },
      { requiredKeys: ['role', 'parts'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      parts: said.map((value) => [text(value)]),
      mark: fc.constantFrom('gap' as const, 'gap' as const, 'cue' as const),
    }),
  },
)

export const damagedWindow: fc.Arbitrary<Window> = fc.record(
  {
    items: fc.array(damagedItem, { maxLength: 12 }),
    hasCurrent: fc.boolean(),
    system: said,
    model: fc.constantFrom('claude-x', 'anthropic/Claude-X', 'gemini-3'),
    style: fc.record({
      think: fc.constantFrom('drop' as const, 'text' as const),
      section: fc.constantFrom('emoji' as const, 'plain' as const),
      escape: fc.constant(true),
    }),
  },
  { requiredKeys: ['items', 'hasCurrent', 'style'] },
)

/** So that a write to the input throws. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) freeze(inner)
  }
  return value
}
