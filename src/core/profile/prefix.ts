/** What a signed block of thinking is bound to: everything that stood before it, breakpoints of the cache aside. */
import { sha256 } from '../message/hash.js'

interface Request {
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages?: unknown
}

/** The hash of an Anthropic request up to a message. @example prefixHash(body, body.messages.length) */
export function prefixHash(request: Request, until: number): string {
  const messages = Array.isArray(request.messages) ? (request.messages as readonly unknown[]) : []
  return messages.slice(0, until).reduce(nextHash, headHash(request))
}

/** The hash before the first message. Tools that are loaded on demand may come and go. */
export const headHash = ({ system, tools }: Request): string =>
  sha256(`${written(tidy(system))}\n${written(Array.isArray(tools) ? tools.filter(isPlain) : [])}`)

/** The hash behind one more message. */
export const nextHash = (hash: string, message: unknown): string => sha256(`${hash}\n${written(message)}`)

const isPlain = (tool: unknown): boolean => (tool as { readonly defer_loading?: unknown })?.defer_loading !== true

/** A text and a list with this one text are the same system. */
const tidy = (system: unknown): unknown =>
  typeof system === 'string' ? [{ type: 'text', text: system }] : (system ?? [])

const written = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? ''
