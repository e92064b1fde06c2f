/** Asks a provider which models it offers. That is also the test of a key: it costs nothing. */
import { fieldsOf, listOf } from '../../core/message/fields.js'
import { detectOllama, type Look } from './detect.js'
import { bodyText, dial, type Line } from './dial.js'
import { fault } from './fault.js'

/** How a provider is asked what it offers. */
export type ListingWire = 'anthropic' | 'google' | 'openai'

export interface ModelOffer {
  /** The provider's own name for it. */
  readonly name: string
  readonly label: string
  /** Tokens of its window, when the provider says so. */
  readonly window?: number
  /** US dollars per million tokens, when the provider says so. */
  readonly price?: { readonly input: number; readonly output: number }
  readonly tools?: boolean
  readonly images?: boolean
}

export interface OfferAccount {
  /** The provider, as it is named in errors. */
  readonly who: string
  readonly url: string
  readonly wire: ListingWire
  readonly key: string | undefined
  readonly check?: string | undefined
}

/** Most models that are kept of one provider. */
const most = 1_000
const answerBytes = 8 * 1024 * 1024

/** Throws `ModelError`: `unauthorized` for a key that is refused. */
export async function askOffers(account: OfferAccount, line: Omit<Line, 'who'>): Promise<readonly ModelOffer[]> {
  const ask = async (path: string): Promise<unknown> => {
    const headers = { accept: 'application/json', ...keyOf(account) }
    const response = await dial({ ...line, who: account.who }, `${account.url}${path}`, { headers })
    try {
      return JSON.parse(await bodyText(response, line.silenceMs, () => fault('silent', account.who), answerBytes))
    } catch (cause) {
      throw fault('garbled', account.who, cause)
    }
  }
  if (account.check !== undefined) await ask(account.check)
  const told = fieldsOf(await ask(listings[account.wire]))
  const rows = account.wire === 'google' ? told.models : told.data
  // a server of anything else may answer as well
  if (!Array.isArray(rows)) throw fault('garbled', account.who)
  const readers = { anthropic: compatibleOffer, google: googleOffer, openai: compatibleOffer }
  return rows.flatMap((row) => readers[account.wire](fieldsOf(row)) ?? []).slice(0, most)
}

/** The address under which a server answers, and what it offers; tried as it was given, then with its version. */
export async function findServer(
  url: string,
  key: string | undefined,
  line: Omit<Line, 'who'>,
  look: Look,
): Promise<{ readonly url: string; readonly ollama: boolean; readonly offers: readonly ModelOffer[] }> {
  const bare = url.replace(/\/v1$/, '')
  const local = await detectOllama(bare, look)
  if (local) return { url: bare, ollama: true, offers: local.map(({ name }) => ({ name, label: name })) }
  const account = { who: new URL(url).host, wire: 'openai', key } as const
  const tries = url.endsWith('/v1') ? [url] : [`${url}/v1`, url]
  let first: unknown
  for (const one of tries) {
    try {
      return { url: one, ollama: false, offers: await askOffers({ ...account, url: one }, line) }
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

const listings = { anthropic: '/models?limit=1000', google: '/models?pageSize=1000', openai: '/models' } as const

function keyOf({ wire, key }: OfferAccount): Readonly<Record<string, string>> {
  if (key === undefined) return {}
  if (wire === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return wire === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** Models that do something other than chat. */
const elsewhere =
  /embed|whisper|\btts\b|dall-e|image|realtime|moderation|transcribe|\bsora\b|babbage|davinci|rerank|-audio|guard/i

/** Where servers tell the window: LM Studio, OpenRouter, vLLM, Groq, Mistral, Anthropic. */
const windows = [
  'loaded_context_length',
  'context_length',
  'max_model_len',
  'context_window',
  'max_context_length',
  'max_input_tokens',
]

/** As OpenAI lists it, with what others add. */
function compatibleOffer(row: Readonly<Record<string, unknown>>): ModelOffer | undefined {
  const { id, name, display_name } = row
  if (typeof id !== 'string' || id === '' || id.length > 200 || elsewhere.test(id) || row.type === 'embeddings') return
  const window = windows.map((field) => row[field]).find(isCount)
  const { prompt, completion } = fieldsOf(row.pricing)
  const input = perMillion(prompt)
  const output = perMillion(completion)
  const { input_modalities } = fieldsOf(row.architecture)
  return {
    name: id,
    label: [display_name, name].find(isWord) ?? id,
    ...(window !== undefined && { window }),
    ...(input !== undefined && output !== undefined && { price: { input, output } }),
    ...(Array.isArray(row.supported_parameters) && { tools: row.supported_parameters.includes('tools') }),
    ...(Array.isArray(input_modalities) && { images: input_modalities.includes('image') }),
  }
}

function googleOffer(row: Readonly<Record<string, unknown>>): ModelOffer | undefined {
  const { name, displayName, inputTokenLimit, supportedGenerationMethods } = row
  if (typeof name !== 'string' || elsewhere.test(name)) return
  if (!listOf(supportedGenerationMethods).includes('generateContent')) return
  const bare = name.replace(/^models\//, '')
  return {
    name: bare,
    label: isWord(displayName) ? displayName : bare,
    ...(isCount(inputTokenLimit) && { window: inputTokenLimit }),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
const isWord = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 200

const perMillion = (price: unknown): number | undefined => {
  const dollars = typeof price === 'string' ? Number(price) * 1_000_000 : Number.NaN
  return dollars >= 0 ? Math.round(dollars * 10_000) / 10_000 : undefined
}
