/** Recomputes the chain of a conversation: one changed byte shows. */
import type { Entry } from './entry.js'
import { chainHash, contentHash } from './gate.js'

export interface Fault {
  readonly seq: number
  readonly fault: string
}

/** `entries` in the order of `seq`. */
export function faultsOf(entries: readonly Entry[]): Fault[] {
  const faults: Fault[] = []
  const seen = new Map<string, Entry>()
  entries.forEach((entry, i) => {
    const wrong = (fault: string): void => {
      faults.push({ seq: entry.seq, fault })
    }
    if (entry.seq !== i + 1) wrong(`seq is ${entry.seq}, expected ${i + 1}`)
    if (!entry.redacted && contentHash(entry) !== entry.contentHash) wrong('the content does not match its hash')
    const parent = entry.parent === null ? null : seen.get(entry.parent)
    if (parent === undefined) wrong('its parent does not come before it')
    else {
      if (chainHash(entry.contentHash, parent?.hash ?? null) !== entry.hash)
        wrong('the hash does not chain to its parent')
      if (entry.depth !== (parent ? parent.depth + 1 : 0)) wrong('its depth is wrong')
      if (entry.total !== (parent?.total ?? 0) + entry.tokens) wrong('its running total is wrong')
    }
    seen.set(entry.id, entry)
  })
  return faults
}
