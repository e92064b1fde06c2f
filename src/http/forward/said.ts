/** What a history says, one message after the other, so that the same is known again however its client writes it. */
import { createHash } from 'node:crypto'
import { decode } from '../../core/message/dialects/decode.js'
import { isRecord } from '../../core/message/fields.js'
import type { Part } from '../../core/message/item.js'
import { type Lru, lru } from '../../core/message/lru.js'
import { canonical } from '../../store/shared/gate.js'

export interface Relayed {
  readonly raw: unknown
  /** The same for what says the same. */
  readonly hash: string
  readonly role: 'user' | 'assistant'
}

/** What was read of messages before, by their bytes: most of a history comes again with each request. */
const known: Lru<Omit<Relayed, 'raw'> | 'nothing'> = lru(20_000)

/** Messages that say nothing to a reader, and those of the operator, are left out. */
export function saidInMessages(messages: readonly unknown[]): Relayed[] {
  return messages.flatMap((raw): Relayed[] => {
    if (!isRecord(raw) || raw.role === 'system' || raw.role === 'developer') return []
    const key = hashOf(JSON.stringify(raw, unmarked))
    let found = known.get(key)
    if (!found) {
      found = readOne(raw) ?? 'nothing'
      known.set(key, found)
    }
    return found === 'nothing' ? [] : [{ raw, ...found }]
  })
}

/** Marks for a cache move from message to message. */
const unmarked = (name: string, value: unknown): unknown => (name === 'cache_control' ? undefined : value)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

function readOne(raw: Readonly<Record<string, unknown>>): Omit<Relayed, 'raw'> | null {
  const read = decode(raw)
  if (!read.ok) return null
  const { role, results } = read
  const parts = spoken(read.parts)
  const text = parts
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('')
    .trim()
  const rest = parts.filter(({ type }) => type !== 'text')
  if (text === '' && rest.length === 0 && results.length === 0) return null
  const told = results.map(({ callId, state, output }) => [callId ?? null, state, output])
  const words = canonical([role === 'assistant' && parts.length > 0, text, rest, told])
  return { hash: hashOf(words), role: parts.length > 0 && role === 'assistant' ? 'assistant' : 'user' }
}

/** Thoughts are told or not; what a client adds for the model moves about, unless it is all that is said. */
export function spoken(parts: readonly Part[]): readonly Part[] {
  const said = parts.filter(({ type }) => type !== 'think')
  const own = said.filter((part) => part.type !== 'text' || !isAdded(part.text))
  return own.length > 0 ? own : said
}

/** `<system-reminder>` and its like: text in a tag of the client's own. */
export const isAdded = (text: string): boolean => /^\s*<([a-z][\w-]{2,40})>[\s\S]*<\/\1>\s*$/.test(text)

/** The hash of all up to each message. */
export function chainOf(said: readonly Relayed[]): string[] {
  let link = ''
  return said.map(({ hash }) => {
    link = hashOf(link + hash)
    return link
  })
}
