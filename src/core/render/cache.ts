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

/**
 * The request with up to four breakpoints of five minutes: behind tools and system, behind the last finished turn,
 * inside a long turn, and at the end. One that has breakpoints already is the client's own and stays as it is.
 */
export function withBreakpoints<T extends Cacheable>(request: T): T {
  if (JSON.stringify(request).includes('"cache_control"')) return request
  const messages = request.messages.map(({ role, content }) => ({ role, content: blocksOf(content) }))
  const least = leastCached(request.model) * 4
  const fixed = JSON.stringify([request.tools ?? [], request.system ?? '']).length
  const places = new Set(placesOf(messages).filter((at) => fixed + sizeUpTo(messages, at) >= least))
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

/** Messages whose last block gets a breakpoint; the first ones are dropped when they are short. */
function placesOf(
  messages: readonly { readonly role: string; readonly content: readonly Block[] }[],
): readonly number[] {
  const last = messages.length - 1
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && !content.some(isResult))
  const places = [asked - 1, last]
  let blocks = 0
  for (let at = last; at > asked; at--) {
    blocks += messages[at]?.content.length ?? 0
    if (blocks < stride) continue
    places.push(at - 1)
    break
  }
  return places.filter((at) => at >= 0 && (messages[at]?.content.some(isMarkable) ?? false))
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
