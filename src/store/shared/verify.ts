/** Recomputes the chain of a conversation: one changed byte shows. */
import type { Entry } from '../contract/entry.js'
import { canonical, chainHash, contentHash } from './gate.js'
import { bare, marks } from './link.js'

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
    if (entry.redacted && !isBare(entry)) wrong('it is redacted and has words')
    const parent = entry.parent === null ? null : seen.get(entry.parent)
    if (parent === undefined) wrong('its parent does not come before it')
    else {
      if (chainHash(entry.contentHash, parent?.hash ?? null) !== entry.hash)
        wrong('the hash does not chain to its parent')
      if (entry.depth !== (parent ? parent.depth + 1 : 0)) wrong('its depth is wrong')
      if (entry.total !== (parent?.total ?? 0) + entry.tokens) wrong('its running total is wrong')
      const { turns, opener, summary } = marks(entry, parent)
      if (entry.turns !== turns) wrong('its count of turns is wrong')
      if (entry.opener !== opener) wrong('its opener is wrong')
      if (entry.summary !== summary) wrong('its summary is wrong')
    }
    seen.set(entry.id, entry)
  })
  return faults
}

/** Redaction is no way to put in other words. */
const isBare = ({ body, text, meta }: Entry): boolean =>
  text === '' && meta === undefined && canonical(bare(body)) === canonical(body)
