/** What a signed block of thinking is bound to: everything that stood before it, breakpoints of the cache aside. */
import { sha256 } from '../message/hash.js'

interface Request {
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages?: unknown
}

/** The hash of an Anthropic request up to a message. Tools that are loaded on demand may come and go. */
export function prefixHash(request: Request, until: number): string {
  return prefixHasher(request)(until)
}

/** The same for several messages of one request. */
export function prefixHasher({ system, tools, messages }: Request): (until: number) => string {
  const list = Array.isArray(messages) ? (messages as readonly unknown[]) : []
  const written = list.map(withoutCache)
  const fixed = `${withoutCache(tidy(system))}\n${withoutCache(Array.isArray(tools) ? tools.filter(isPlain) : [])}`
  return (until) => sha256(`${fixed}\n${written.slice(0, until).join('\n')}`)
}

const isPlain = (tool: unknown): boolean => (tool as { readonly defer_loading?: unknown })?.defer_loading !== true

/** A text and a list with this one text are the same system. */
const tidy = (system: unknown): unknown =>
  typeof system === 'string' ? [{ type: 'text', text: system }] : (system ?? [])

const withoutCache = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? ''
