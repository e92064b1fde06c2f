/** A provider that signs what it thinks, knows what it signed, and refuses what its documents refuse, in its own words. */
import { type Issued, issue, type JudgeProvider, type JudgeRequest, judge } from '../../src/testing/judge/index.js'
import type { Answer, Proof, Wire } from './answer.js'
import { type Provider, type Recorded, type Refused, startProvider } from './server.js'

type Fields = Readonly<Record<string, unknown>>
type JudgedWire = Exclude<Wire, 'ollama'>

export interface StrictProvider extends Provider {
  /** Everything it refused, as `rule path message`; what was only too long aside. */
  readonly refused: readonly string[]
  /** How often it said that a request is too long. */
  readonly overflows: () => number
  /** Signed pieces that came back to it and were good. */
  readonly replayed: () => number
}

export interface StrictOptions {
  /** Tokens that it takes, by four characters each and without pictures. */
  readonly window?: number
}

const judges: Readonly<Record<JudgedWire, JudgeProvider>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  google: 'gemini',
}

/** Calls `look` as often as the last `[look n]` of the request says, then answers. */
export async function startStrictProvider({ window = 1_000_000 }: StrictOptions = {}): Promise<StrictProvider> {
  const issued: Issued[] = []
  const refused: string[] = []
  let [count, overflows, replayed] = [0, 0, 0]
  const refuse = (record: Recorded): Refused | null => {
    const wire = judgedWire(record.wire)
    const size = Math.ceil(unpictured(record.body).length / 4)
    if (size > window) {
      overflows++
      return { status: 400, body: envelopes[wire](tooLong[wire](size, window)) }
    }
    const found = judge(requestOf(record, issued))
    refused.push(...found.map(({ rule, path, message }) => `${wire} ${rule} ${path} ${message}`))
    const [first] = found
    if (first) return { status: first.status, body: envelopes[wire](first.message) }
    replayed += issued.filter(({ signature }) => JSON.stringify(record.body).includes(signature)).length
    return null
  }
  const answer = (record: Recorded): Answer => {
    const said = answerTo(record, ++count)
    issued.push(...issue(requestOf(record, issued), replyOf[judgedWire(record.wire)](said)))
    return said
  }
  const provider = await startProvider({ refuse, answer })
  return { ...provider, refused, overflows: () => overflows, replayed: () => replayed }
}

function judgedWire(wire: Wire): JudgedWire {
  if (wire === 'ollama') throw new Error('no rules are written for this wire')
  return wire
}

function requestOf({ wire, path, body, headers }: Recorded, issued: readonly Issued[]): JudgeRequest {
  const model = /models\/([^:]+):/.exec(path)?.[1]
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const known = { body, issued, account: String(key), headers: sent, ...(model && { model }) }
  return { provider: judges[judgedWire(wire)], ...known }
}

const proofOf = (n: number): Proof => ({
  signature: btoa(`signature-${String(n).padStart(5, '0')}`),
  id: `rs_${String(n).padStart(6, '0')}`,
  sealed: `gAAAA${btoa(`sealed-${String(n).padStart(5, '0')}`)}`,
})

const result = /"type":"tool_result"|"type":"function_call_output"|"role":"tool"|"functionResponse"/g

function answerTo({ body, wire }: Recorded, n: number): Answer {
  const said = JSON.stringify(body)
  const asked = said.lastIndexOf('[look ')
  const wanted = asked < 0 ? 0 : Number.parseInt(said.slice(asked + 6), 10)
  const looked = asked < 0 ? 0 : (said.slice(asked).match(result) ?? []).length
  const proof = proofOf(n)
  // OpenAI shows no reasoning on this wire
  const thought = wire === 'openai-chat' ? {} : { think: `Thought ${n}.`, proof }
  if (looked < wanted) return { ...thought, calls: [{ id: `call_${n}`, name: 'look', input: { at: n } }] }
  return { ...thought, text: `Answer ${n}. ${'And so it goes on. '.repeat(12)}` }
}

/** The pieces of an answer as its dialect will have them in the next request. */
const replyOf: Readonly<Record<JudgedWire, (answer: Answer) => readonly unknown[]>> = {
  anthropic: ({ think, text, calls = [], proof }) => [
    { type: 'thinking', thinking: think, signature: proof?.signature },
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map((call) => ({ type: 'tool_use', ...call })),
  ],
  'openai-chat': () => [],
  'openai-responses': ({ think, text, calls = [], proof }) => [
    { type: 'reasoning', id: proof?.id, summary: [{ text: think }], encrypted_content: proof?.sealed },
    ...(text ? [{ type: 'message', id: `msg_${proof?.id}`, role: 'assistant' }] : []),
    ...calls.map(({ id, name }) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name })),
  ],
  google: ({ text, calls = [], proof }) => [
    ...(text ? [{ text, ...(calls.length === 0 && { thoughtSignature: proof?.signature }) }] : []),
    ...calls.map(({ name, input }, at) => ({
      functionCall: { name, args: input },
      ...(at === 0 && { thoughtSignature: proof?.signature }),
    })),
  ],
}

const unpictured = (body: unknown): string =>
  JSON.stringify(body, (key, value: unknown) =>
    typeof value === 'string' && (key === 'data' || value.startsWith('data:image')) ? '' : value,
  )

const tooLong: Readonly<Record<JudgedWire, (taken: number, most: number) => string>> = {
  anthropic: (taken, most) => `prompt is too long: ${taken} tokens > ${most} maximum`,
  'openai-chat': (taken, most) =>
    `This model's maximum context length is ${most} tokens. However, your messages resulted in ${taken} tokens.`,
  'openai-responses': () =>
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  google: (taken, most) => `The input token count (${taken}) exceeds the maximum number of tokens allowed (${most}).`,
}

const openai = (message: string): Fields => ({
  error: {
    message,
    type: 'invalid_request_error',
    param: null,
    code: /context (?:window|length)/.test(message) ? 'context_length_exceeded' : null,
  },
})

const envelopes: Readonly<Record<JudgedWire, (message: string) => Fields>> = {
  anthropic: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  'openai-chat': openai,
  'openai-responses': openai,
  google: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}
