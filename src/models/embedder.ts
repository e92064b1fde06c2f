/** Vectors from any server that speaks OpenAI's embeddings. */
import { z } from 'zod'
import { length, unitsOf } from '../core/message/text.js'
import { type Embedder, unit } from '../recall/embedder.js'
import { ModelError } from './wire/contract.js'
import { dial, type Fetch, type Line } from './wire/dial.js'
import { fault } from './wire/fault.js'
import { inTime } from './wire/receive.js'
import { type RetryRule, tryAgain, usualRetry } from './wire/retry.js'

/** Where embeddings come from. */
export interface EmbedderConfig {
  /** Where the API begins, as in `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** Asked for, where the model can shorten its vectors; its own number when left out. */
  readonly dimensions?: number
  /** Texts in one request. */
  readonly batch?: number
  readonly retry?: Partial<RetryRule>
  /** So long may the server send nothing. */
  readonly silenceMs?: number
  readonly fetch?: Fetch
  readonly now?: () => number
}

/** Someone waits for the answer of a search: better words alone than a long silence. */
const patient: Partial<RetryRule> = { attempts: 3, baseMs: 200, capMs: 5_000 }
/** A text that is too long for the model is halved down to so many chars. */
const shortest = 500

/** Embeddings from any OpenAI-compatible server. @example openEmbedder({ url: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text' }) */
export function openEmbedder(config: EmbedderConfig): Embedder {
  const { model, batch = 64, silenceMs = 15_000 } = config
  const line: Line = { who: model, fetch: config.fetch ?? fetch, silenceMs, now: config.now ?? Date.now }
  const rule: RetryRule = { ...usualRetry, ...patient, ...config.retry }
  const ask = (texts: readonly string[]) => tryAgain(rule, () => request(line, config, texts))
  return {
    model,
    dimensions: config.dimensions ?? 0,
    async embed(texts) {
      const all: Float32Array[] = []
      for (let from = 0; from < texts.length; from += batch)
        all.push(...(await shortened(texts.slice(from, from + batch), ask)))
      return all
    },
  }
}

type Ask = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** One text that is too long does not stop the others. */
async function shortened(texts: readonly string[], ask: Ask): Promise<readonly Float32Array[]> {
  try {
    return await ask(texts)
  } catch (error) {
    if (!ModelError.is(error) || error.code !== 'overflow') throw error
    const [only = ''] = texts
    if (texts.length === 1 && only.length <= shortest) throw error
    const middle = Math.ceil(texts.length / 2)
    const halves = texts.length === 1 ? [[half(only)]] : [texts.slice(0, middle), texts.slice(middle)]
    const vectors: Float32Array[] = []
    for (const some of halves) vectors.push(...(await shortened(some, ask)))
    return vectors
  }
}

const half = (text: string): string => text.slice(0, unitsOf(text, Math.ceil(length(text) / 2)))

const answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()).min(1) })),
})

async function request(line: Line, config: EmbedderConfig, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const { url, model, apiKey, dimensions } = config
  const response = await dial(line, `${url.replace(/\/+$/, '')}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions && { dimensions }) }),
    signal: AbortSignal.timeout(2 * line.silenceMs),
  })
  return vectorsIn(await read(line, response), texts.length, model)
}

async function read({ who, silenceMs }: Line, response: Response): Promise<unknown> {
  let text: string
  try {
    text = await inTime(silenceMs, response.text(), () => fault('silent', who))
  } catch (error) {
    throw ModelError.is(error) ? error : fault('cut', who, error)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw fault('garbled', who, error)
  }
}

/** One for each text, in their order, all of one length; anything else is no answer. */
function vectorsIn(json: unknown, count: number, who: string): readonly Float32Array[] {
  const { data, success } = answer.safeParse(json)
  const found = success ? data.data : []
  const ordered = found.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
  const size = ordered[0]?.embedding.length
  const isWhole =
    ordered.length === count &&
    ordered.every(({ index, embedding }, i) => (index ?? i) === i && embedding.length === size)
  if (!isWhole) throw fault('garbled', who)
  return ordered.map(({ embedding }) => unit(Float32Array.from(embedding)))
}
