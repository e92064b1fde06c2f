/** Where a request goes: a dialect of an API, or a host that speaks one with rules of its own. */
export type JudgeProvider =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'bedrock'
  | 'gemini'
  | 'deepseek'
  | 'mistral'
  | 'moonshot'
  | 'dashscope'
  | 'vllm'
  | 'llama.cpp'
  | 'ollama'
  | 'groq'
  | 'lmstudio'
  | 'openrouter'

/** A signed or encrypted piece of a reply, and the request it was issued for. */
export interface Issued {
  readonly signature: string
  /** Hash of the system prompt, the tools and the messages in front of it. */
  readonly prefix: string
  /** The signatures in front of it, oldest first. */
  readonly before: readonly string[]
  /** The whole reply: content blocks, parts or output items. */
  readonly reply: readonly unknown[]
  readonly model: string
  readonly account: string
}

/** A request as it would be sent, for `judge`. */
export interface JudgeRequest {
  readonly provider: JudgeProvider
  /** Only when the body does not name it, as with Gemini. */
  readonly model?: string
  readonly baseUrl?: string
  readonly body: unknown
  /** Beta features are only checked when the headers are given. */
  readonly headers?: Readonly<Record<string, string>>
  /** Every signature the provider has issued. Without it no signature is doubted. */
  readonly issued?: readonly Issued[]
  readonly account?: string
  /** What the server was started with, where that decides. */
  readonly server?: { readonly images?: number; readonly tools?: boolean; readonly thinking?: boolean }
}

export type Dialect = 'chat' | 'responses' | 'anthropic' | 'gemini'
export type Fields = Readonly<Record<string, unknown>>

/** A request, read once: what the rules look at. */
export interface Scope {
  readonly dialect: Dialect
  readonly host: string
  readonly model: string
  readonly url: string
  readonly body: Fields
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly issued: readonly Issued[] | undefined
  readonly account: string
  readonly server: NonNullable<JudgeRequest['server']>
}

/** What a rule found: where, and what the provider says about it. */
export type Finding = readonly [path: string, message: string]

export interface JudgeRule {
  readonly id: string
  readonly status?: number | ((scope: Scope) => number)
  readonly type?: string
  readonly find: (scope: Scope) => Iterable<Finding>
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const fields = (value: unknown): Fields => (isFields(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const rows = (value: unknown): readonly Fields[] => list(value).map(fields)
export const string = (value: unknown): string => (typeof value === 'string' ? value : '')

const templates = /qwen|gemma|llama-?2|mistral-7b/i
/** The first match wins; a base URL says more than a model's name. */
const byUrl: readonly (readonly [RegExp, string])[] = [
  [/openrouter/, 'openrouter'],
  [/deepseek/, 'deepseek'],
  [/mistral/, 'mistral'],
  [/moonshot|kimi/, 'moonshot'],
  [/dashscope|aliyun/, 'dashscope'],
  [/groq/, 'groq'],
  [/:1234\b|lmstudio/, 'lmstudio'],
  [/:11434\b|ollama/, 'ollama'],
  [/llama\.?cpp/, 'llama.cpp'],
  [/vllm/, 'vllm'],
  [/bedrock|amazonaws/, 'bedrock'],
  [/copilot/, 'copilot'],
]
const byModel: readonly (readonly [RegExp, string])[] = [
  [templates, 'vllm'],
  [/deepseek/i, 'deepseek'],
  [/(mi|mini|magi|dev|code)stral|mixtral/i, 'mistral'],
  [/kimi|moonshot/i, 'moonshot'],
]
const dialects: Readonly<Record<string, Dialect>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  anthropic: 'anthropic',
  bedrock: 'anthropic',
  gemini: 'gemini',
}

export function scopeOf(request: JudgeRequest): Scope {
  const { provider, headers, issued, account = '', server = {} } = request
  const body = fields(request.body)
  const model = string(body.model) || (request.model ?? '')
  const url = (request.baseUrl ?? '').toLowerCase()
  const dialect = dialects[provider] ?? 'chat'
  return { dialect, host: hostOf(provider, dialect, url, model), model, url, body, headers, issued, account, server }
}

function hostOf(provider: string, dialect: Dialect, url: string, model: string): string {
  if (!(provider in dialects) || provider === 'bedrock') return provider
  const named = (table: typeof byUrl, value: string) => table.find(([pattern]) => pattern.test(value))?.[1]
  const own = { chat: 'openai', responses: 'openai', anthropic: 'anthropic', gemini: 'google' }[dialect]
  if (url) return named(byUrl, url) ?? own
  if (dialect === 'anthropic') return /^([a-z]+\.)?anthropic\./.test(model) ? 'bedrock' : own
  return dialect === 'chat' ? (named(byModel, model) ?? own) : own
}
