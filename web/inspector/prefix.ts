/** How much of a request begins like another one: what a provider's cache can use again. */
import type { ContextWindow, WindowItem } from '../../src/client/index.js'

export interface Shared {
  readonly items: number
  readonly tokens: number
  /** Of the second request. */
  readonly ofTokens: number
  readonly bytes: number
  readonly ofBytes: number
}

type Sent = Pick<ContextWindow, 'items' | 'request'>

export function sharedBy(before: Sent, after: Sent): Shared {
  const texts = before.items.map(textOf)
  let items = 0
  while (items < after.items.length && textOf(after.items[items] as WindowItem) === texts[items]) items++
  return {
    items,
    tokens: tokensOf(after.items.slice(0, items)),
    ofTokens: tokensOf(after.items),
    ...sharedBytes(wireOf(before.request), wireOf(after.request)),
  }
}

const textOf = ({ role, text, parts }: WindowItem): string => JSON.stringify([role, text, parts])

export const tokensOf = (items: readonly WindowItem[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0)

const wireOf = (request: unknown): string => (typeof request === 'string' ? request : JSON.stringify(request))

function sharedBytes(one: string, other: string): Pick<Shared, 'bytes' | 'ofBytes'> {
  let at = 0
  while (at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const size = (text: string): number => new TextEncoder().encode(text).length
  return { bytes: size(other.slice(0, at)), ofBytes: size(other) }
}
