/** Breakpoints of Anthropic's prompt cache, where a request stays the same until the next. */
import { leastCached } from '../profile/claude.js'

type Block = Readonly<Record<string, unknown>>

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

/** The part of a request that matters here; the rest passes through. */
export interface Cacheable {
  readonly model?: string
  readonly system?: string | readonly Block[]
  readonly tools?: readonly unknown[]
  readonly messages: readonly Message[]
}

const mark = { cache_control: { type: 'ephemeral' } } as const
/** The cache is looked for 20 blocks back from a breakpoint; a long turn gets one more before that. */
const stride = 15
const most = 4

/**
 * The request with up to four breakpoints of five minutes: behind tools and system, behind the last finished turn,
 * inside a long turn, and at the end. One that has breakpoints already is the client's own and stays as it is.
 */
export function withBreakpoints<T extends Cacheable>(request: T): T {
  if (JSON.stringify(request).includes('"cache_control"')) return request
  const messages = request.messages.map(({ role, content }) => ({ role, content: blocksOf(content) }))
  const least = leastCached(request.model) * 4
  const fixed = JSON.stringify([request.tools ?? [], request.system ?? '']).length
  const places = new Set(
    placesOf(messages, most - (request.system === undefined ? 0 : 1)).filter(
      (at) => fixed + sizeUpTo(messages, at) >= least,
    ),
  )
  if (fixed < least && places.size === 0) return request
  return {
    ...request,
    ...(request.system !== undefined && fixed >= least && { system: marked(blocksOf(request.system)) }),
    messages: request.messages.map((message, i) => {
      const { content } = messages[i] as (typeof messages)[number]
      return places.has(i) ? { ...message, content: marked(content) } : message
    }),
  }
}

const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Messages whose last block gets a breakpoint, at most so many. */
function placesOf(messages: readonly Blocks[], slots: number): readonly number[] {
  const last = messages.length - 1
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && !content.some(isResult))
  const places = [last, asked - 1].filter((at) => at >= 0 && (messages[at]?.content.some(isMarkable) ?? false))
  // then a stride at a time back, so that a long turn does not hide what was cached before it
  let since = 0
  for (let at = last - 1; at >= 0 && places.length < slots; at--) {
    since += messages[at + 1]?.content.length ?? 0
    if (places.includes(at)) since = 0
    if (since < stride || !messages[at]?.content.some(isMarkable)) continue
    places.push(at)
    since = 0
  }
  return places
}

interface Blocks {
  readonly role: string
  readonly content: readonly Block[]
}

const isResult = ({ type }: Block): boolean => type === 'tool_result'

/** Thinking and empty text carry no breakpoint. */
const isMarkable = ({ type, text }: Block): boolean =>
  type !== 'thinking' && type !== 'redacted_thinking' && (type !== 'text' || text !== '')

function marked(blocks: readonly Block[]): readonly Block[] {
  const at = blocks.findLastIndex(isMarkable)
  return blocks.map((block, i) => (i === at ? { ...block, ...mark } : block))
}

const sizeUpTo = (messages: readonly unknown[], at: number): number =>
  messages.slice(0, at + 1).reduce<number>((sum, message) => sum + JSON.stringify(message).length, 0)
