/** UI messages of every kind, also of kinds that no one knows yet. */
import fc from 'fast-check'
import type { UiFields, UiMessage } from './message.js'

const words = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0') && isWhole(text))
const isWhole = (text: string): boolean => !/[\ud800-\udfff]/u.test(text)
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/)
const json = fc.oneof(
  words,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(words, { maxLength: 2 }),
  fc.dictionary(name, fc.oneof(words, fc.integer()), { maxKeys: 2 }),
)
const extra = fc.dictionary(name, json, { maxKeys: 1 })
const more = (part: fc.Arbitrary<UiFields>): fc.Arbitrary<UiFields> =>
  fc
    .tuple(part, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: extra }))
    .map(([fields, beside]) => ({ ...beside, ...fields }) as UiFields)

const text = fc.record({ type: fc.constant('text'), text: words }) as fc.Arbitrary<UiFields>
const done = fc.record({ type: fc.constant('text'), text: words, state: fc.constant('done') }) as fc.Arbitrary<UiFields>
const reasoning = fc.record({
  type: fc.constant('reasoning'),
  text: words,
  state: fc.constant('done'),
  providerMetadata: fc.record({ anthropic: fc.record({ signature: name }) }),
}) as fc.Arbitrary<UiFields>
const file = fc.record({
  type: fc.constant('file'),
  mediaType: fc.constantFrom('image/png', 'application/pdf', 'text/plain'),
  url: fc.constantFrom('data:image/png;base64,aGk=', 'https://example.org/a.png', 'data:text/plain,hi'),
}) as fc.Arbitrary<UiFields>
const data = fc.tuple(name, json).map(([kind, value]) => ({ type: `data-${kind}`, data: value }) as UiFields)
const unknown = fc.tuple(name, json).map(([kind, value]) => ({ type: `future-${kind}`, value }) as UiFields)
const receipt = name.map((id) => ({ type: 'data-receipt', id, data: { receipt: id } }) as UiFields)
const start = fc.constant<UiFields>({ type: 'step-start' })

/** The ids of calls are given later, one each. */
const tool = fc
  .tuple(
    fc.constantFrom('tool-look', 'tool-ask', 'dynamic-tool'),
    json,
    fc.oneof(
      fc.constant({ state: 'input-available' }),
      fc.constant({ state: 'input-streaming' }),
      json.map((output) => ({ state: 'output-available', output })),
      words.map((errorText) => ({ state: 'output-error', errorText })),
      fc.constant({ state: 'output-denied', approval: { id: 'a', approved: false } }),
    ),
  )
  .map(
    ([type, input, outcome]) =>
      ({ type, toolName: type === 'dynamic-tool' ? 'x' : undefined, input, ...outcome }) as UiFields,
  )

const user = fc.array(more(fc.oneof(text, file, data, unknown)), { maxLength: 3 })
const assistant = fc.array(more(fc.oneof(start, text, done, reasoning, tool, file, data, unknown, receipt)), {
  maxLength: 8,
})

const message = fc
  .oneof(
    fc.tuple(fc.constant('user'), user),
    fc.tuple(fc.constant('assistant'), assistant),
    fc.tuple(fc.constant('system'), fc.array(text, { maxLength: 1 })),
  )
  .chain(([role, parts]) => extra.map((beside) => ({ ...beside, role, parts })))

export const uiMessages: fc.Arbitrary<UiMessage[]> = fc.array(message, { maxLength: 6 }).map((list) => {
  let calls = 0
  return list.map(({ parts, ...rest }, i) => ({
    ...rest,
    id: `m${i}`,
    parts: parts.map((part) => (part.input === undefined ? part : { ...part, toolCallId: `c${calls++}` })),
  })) as unknown as UiMessage[]
})
