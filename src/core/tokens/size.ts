/** What is not text: files, tool schemas, and the frame around a message. Upper bounds, from published formulas. */
import type { FilePart } from '../message/item.js'
import type { Counter } from './counter.js'
import type { Family } from './family.js'
import { functionTokens } from './schema.js'

/** The most that an image of unknown dimensions costs at the provider's default detail. */
export const imageTokens = (family: Family): number => images[family]

const images: Record<Family, number> = {
  // 1,536 patches at the dearest factor, 2.46; gpt-4o-mini alone bills more, by a factor of its own
  o200k: 3_800,
  // 85 + 170 for each of at most 8 tiles
  cl100k: 1_500,
  // 4,784 for the models that see 2,576 pixels; about 1,600 for those before
  claude: 4_800,
  // 258 for each of 16 tiles
  gemini: 4_200,
  // 4 tiles of 1,601
  llama: 6_500,
  // 64 x 64 patches and their line ends
  mistral: 4_200,
  qwen: 16_400,
  deepseek: 4_200,
  unknown: 16_400,
}

/** A page of a document is taken to be at least 10 KB, to hold 3,000 tokens of text, and to be seen as an image too. */
const page = { bytes: 10_000, text: 3_000 }
/** A document that is only pointed to is taken to have four pages. */
const pages = 4
/** Dense speech is 2 KB and 32 tokens a second. */
const mediaPerByte = 0.02
const frame = 12

export function fileTokens(part: FilePart, counter: Counter, family: Family): number {
  return frame + counter.count(part.name ?? '') + sourceTokens(part, counter, family)
}

function sourceTokens({ mediaType, source }: FilePart, counter: Counter, family: Family): number {
  if (source.kind === 'text') return counter.count(source.text)
  if (mediaType.startsWith('image/')) return imageTokens(family)
  const perPage = page.text + imageTokens(family)
  if (source.kind !== 'data') return pages * perPage
  const bytes = Math.ceil((source.base64.length * 3) / 4)
  if (mediaType.startsWith('audio/') || mediaType.startsWith('video/')) return Math.ceil(bytes * mediaPerByte)
  // no tokenizer makes more than one token of a byte
  if (mediaType.startsWith('text/') || mediaType.endsWith('json')) return bytes
  return Math.ceil(bytes / page.bytes) * perPage
}

/** Tokens of the tool schemas of a request. A provider may explain tool use in a prompt of its own. */
export function schemaTokens(tools: unknown, counter: Counter, family: Family = 'unknown'): number {
  const list = Array.isArray(tools) ? tools : tools && typeof tools === 'object' ? Object.values(tools) : []
  if (list.length === 0) return 0
  const { prompt, perTool } = toolFrames[family]
  if (family === 'o200k' || family === 'cl100k')
    return list.reduce(
      (sum: number, tool) => sum + (functionTokens(tool, counter) ?? perTool + counter.count(JSON.stringify(tool))),
      prompt,
    )
  return prompt + list.length * perTool + counter.count(JSON.stringify(tools))
}

const local = { prompt: 300, perTool: 72 }

const toolFrames: Record<Family, { readonly prompt: number; readonly perTool: number }> = {
  o200k: { prompt: 12, perTool: 12 },
  cl100k: { prompt: 12, perTool: 12 },
  // the prompt that Anthropic publishes for tool use
  claude: { prompt: 346, perTool: 20 },
  gemini: { prompt: 30, perTool: 30 },
  llama: { prompt: 540, perTool: 60 },
  mistral: { prompt: 70, perTool: 72 },
  qwen: local,
  deepseek: local,
  unknown: { prompt: 600, perTool: 72 },
}

export interface Overhead {
  /** Once per request. */
  readonly base: number
  /** Role and delimiters. */
  readonly perMessage: number
  /** Around the name and the arguments of a call. */
  readonly perCall: number
  /** Around the output of a result. */
  readonly perResult: number
}

export const messageOverhead = (family: Family): Overhead => overheads[family]

/** Ids are for the provider's books: no model reads them. */
const openai: Overhead = { base: 6, perMessage: 5, perCall: 12, perResult: 12 }
const generous: Overhead = { base: 40, perMessage: 8, perCall: 32, perResult: 24 }

const overheads: Record<Family, Overhead> = {
  o200k: openai,
  cl100k: openai,
  claude: { base: 10, perMessage: 6, perCall: 32, perResult: 24 },
  gemini: { base: 6, perMessage: 5, perCall: 16, perResult: 16 },
  llama: generous,
  mistral: generous,
  qwen: generous,
  deepseek: generous,
  unknown: generous,
}

/** What a provider charges for the beginning of a request that it has seen before, as parts of its price for input. */
export interface Caching {
  readonly read: number
  /** For tokens that it keeps for the next request. */
  readonly write: number
  /** Shorter beginnings are not kept. */
  readonly least: number
}

/** As published up to August 2026; a server of one's own keeps what it computed, so that a cached token takes next to no time. */
const known: Readonly<Record<string, Caching>> = {
  openai: { read: 0.25, write: 1, least: 1_024 },
  anthropic: { read: 0.1, write: 1.25, least: 1_024 },
  google: { read: 0.25, write: 1, least: 1_024 },
  deepseek: { read: 0.1, write: 1, least: 64 },
}

const own: Caching = { read: 0.1, write: 1, least: 256 }

export const cachingOf = (provider: string | undefined): Caching => known[provider ?? ''] ?? own
