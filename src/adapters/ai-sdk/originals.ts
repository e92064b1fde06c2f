/** The messages behind an item of a window: itself, and the results of its calls wherever they came. */
import type { ModelMessage } from './window.js'

export function originalsOf<M extends ModelMessage>(messages: readonly M[]): (index: number) => readonly M[] {
  const owners = new Map<string, number>()
  const results = new Map<number, M[]>()
  messages.forEach((message, index) => {
    if (message.role === 'assistant') for (const call of idsIn([message], 'tool-call')) owners.set(call, index)
    if (message.role === 'tool')
      for (const [owner, parts] of byOwner(message, owners)) {
        const list = results.get(owner) ?? []
        list.push(
          parts === partsOf(message).length ? message : { ...message, content: ownedBy(message, owner, owners) },
        )
        results.set(owner, list)
      }
  })
  return (index) => [messages[index] as M, ...(results.get(index) ?? [])]
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
}

const partsOf = ({ content }: ModelMessage): readonly Part[] => (Array.isArray(content) ? content : [])

export const idsIn = (messages: readonly ModelMessage[], type: 'tool-call' | 'tool-result'): ReadonlySet<string> =>
  new Set(messages.flatMap(partsOf).flatMap((part) => (part.type === type ? [String(part.toolCallId)] : [])))

/** How many parts of a message of results belong to each message of calls. */
function byOwner(message: ModelMessage, owners: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const part of partsOf(message)) {
    const owner = owners.get(String(part.toolCallId))
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}

const ownedBy = (message: ModelMessage, owner: number, owners: ReadonlyMap<string, number>): readonly Part[] =>
  partsOf(message).filter((part) => owners.get(String(part.toolCallId)) === owner)
