/** A path as a list of messages of a dialect: each as it came, or made from what another client said. */
import type { Entry } from '../../store/contract/entry.js'
import type { Dialect } from './dialect.js'

/** The messages of each entry of the path; many have one, some have none. */
export function messageSpans<T>(path: readonly Entry[], dialect: Dialect<T>): (readonly T[])[] {
  const names = new Map<string, string>()
  return path.map((entry) => {
    const { body } = entry
    if (body.kind === 'message') for (const part of body.parts) if (part.type === 'call') names.set(part.id, part.name)
    const kept = entry.meta?.[dialect.name]
    if (typeof kept === 'string') return kept === '' ? [] : [JSON.parse(kept) as T]
    return dialect.fromEntry(entry, names)
  })
}

/** How many entries can stay when the list becomes another one, and which messages come after them. */
export function shared<T>(spans: readonly (readonly T[])[], next: readonly T[]): { kept: number; rest: readonly T[] } {
  let kept = 0
  let used = 0
  for (const span of spans) {
    if (!span.every((item, i) => isSame(item, next[used + i]))) break
    kept++
    used += span.length
  }
  return { kept, rest: next.slice(used) }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (other !== undefined && JSON.stringify(one) === JSON.stringify(other))
