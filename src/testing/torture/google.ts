import type { CheckContext } from '../../core/rules/scope.js'
import type { Row } from './rows.js'

type Body = Readonly<Record<string, unknown>>

const row = (code: string, rule: string, bad: unknown, good: unknown, context?: CheckContext): Row => ({
  code,
  rule,
  target: 'google',
  bad,
  good,
  ...(context && { context }),
})
const user = (...parts: readonly Body[]): Body => ({ role: 'user', parts })
const model = (...parts: readonly Body[]): Body => ({ role: 'model', parts })
const call = (thoughtSignature?: string, name = 'look'): Body => ({
  functionCall: { name, args: {} },
  ...(thoughtSignature && { thoughtSignature }),
})
const response = (name = 'look'): Body => ({ functionResponse: { name, response: { output: 'Rain' } } })
const ask = user({ text: 'So?' })
const loop = (signature?: string): readonly Body[] => [ask, model(call(signature)), user(response())]
const three = { model: 'gemini-3-pro' }
const declared = (count: number): Body => ({
  functionDeclarations: Array.from({ length: count }, (_, i) => ({ name: `f${i}` })),
})
const nested = (levels: number): Body =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: nested(levels - 1) } }

export const googleRows: readonly Row[] = [
  row('G-01', 'thought.missing', { contents: loop() }, { contents: loop('c2ln') }, three),
  row('G-01', 'thought.missing', { contents: loop() }, { contents: loop('skip_thought_signature_validator') }, three),
  row(
    'G-02',
    'thought.foreign',
    { contents: loop('b3RoZXI=') },
    { contents: loop('c2ln') },
    {
      ...three,
      issued: (proof) => (proof === 'c2ln' ? {} : undefined),
    },
  ),
  row(
    'G-03',
    'thought.unnamed',
    { contents: loop(), modelVersion: 'gemini-3-pro' },
    { contents: loop(), modelVersion: 'gemini-2.5-pro' },
  ),
  row(
    'G-03',
    'thought.unnamed',
    { contents: [ask, model({ text: 'Hm.', thoughtSignature: 'c2ln' }), ...loop()] },
    { contents: [ask, model({ text: 'Hm.', thoughtSignature: 'c2ln' }), ...loop('c2ln')] },
  ),
  row('G-04', 'message.first', { contents: loop().slice(1) }, { contents: loop() }),
  row('G-05', 'tools.many', { contents: [ask], tools: [declared(513)] }, { contents: [ask], tools: [declared(512)] }),
  row(
    'G-06',
    'tool.name',
    { contents: [ask, model(call(undefined, '9 lives')), user(response('9 lives'))] },
    { contents: [ask, model(call(undefined, '_9_lives')), user(response('_9_lives'))] },
  ),
  row(
    'G-07',
    'tools.schema',
    { contents: [ask], tools: [{ functionDeclarations: [{ name: 'f', parameters: nested(20) }] }] },
    { contents: [ask], tools: [{ functionDeclarations: [{ name: 'f', parameters: nested(5) }] }] },
    { losses: true },
  ),
]
