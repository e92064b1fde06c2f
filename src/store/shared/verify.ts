/** Recomputes the chain of a conversation: one changed byte shows. */
import type { Branch } from '../contract/branch.js'
import type { Entry } from '../contract/entry.js'
import type { Verification } from '../contract/upkeep.js'
import { canonical, chainHash, contentHash } from './gate.js'
import { bare, blobsOf, type Link, marks } from './link.js'

export interface Fault {
  /** 0 where it is about the conversation and not about one entry. */
  readonly seq: number
  readonly fault: string
}

/** Takes a log entry by entry, and keeps of each only what the others are judged by. */
export interface Chain {
  /** Entries come in the order of `seq`. */
  take(entry: Entry): readonly Fault[]
  seqOf(id: string): number | undefined
  readonly length: number
  /** The files that entries name. */
  readonly blobs: ReadonlySet<string>
}

export function openChain(): Chain {
  const seen = new Map<string, Link & { readonly seq: number }>()
  const blobs = new Set<string>()
  let length = 0
  const take = (entry: Entry): readonly Fault[] => {
    const faults: Fault[] = []
    const wrong = (fault: string): void => {
      faults.push({ seq: entry.seq, fault })
    }
    length++
    if (entry.seq !== length) wrong(`seq is ${entry.seq}, expected ${length}`)
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
    const { id, seq, depth, total, turns, opener, summary, hash } = entry
    seen.set(id, { id, seq, depth, total, turns, opener, summary, hash })
    for (const sha256 of blobsOf(entry)) blobs.add(sha256)
    return faults
  }
  return {
    take,
    seqOf: (id) => seen.get(id)?.seq,
    get length() {
      return length
    },
    blobs,
  }
}

/** What a store says about a whole log, beside it. */
export interface Beside {
  /** How many entries the conversation had when the last one was written. */
  readonly entries: number
  readonly branches: readonly Pick<Branch, 'name' | 'head'>[]
  /** The files of the conversation that are there and whole. */
  readonly blobs: ReadonlySet<string>
}

export function faultsBeside(chain: Chain, { entries, branches, blobs }: Beside): Fault[] {
  const lost = [...chain.blobs].filter((sha256) => !blobs.has(sha256))
  const astray = branches.filter(({ head }) => head !== null && chain.seqOf(head) === undefined)
  return [
    ...(chain.length === entries ? [] : [`it has ${chain.length} entries, and had ${entries}`]),
    ...(chain.length > 0 && branches.length === 0 ? ['its branches are missing'] : []),
    ...astray.map(({ name }) => `branch ${name} ends nowhere`),
    ...lost.map((sha256) => `file ${sha256} is missing`),
  ].map((fault) => ({ seq: 0, fault }))
}

export const verdictOf = ({ entries, faults }: { entries: number; faults: readonly Fault[] }): Verification =>
  faults.length === 0 ? { ok: true, entries } : { ok: false, entries, faults }

/** `entries` in the order of `seq`. */
export function faultsOf(entries: readonly Entry[]): Fault[] {
  const chain = openChain()
  return entries.flatMap((entry) => [...chain.take(entry)])
}

/** Redaction is no way to put in other words. */
const isBare = ({ body, text, meta }: Entry): boolean =>
  text === '' && meta === undefined && canonical(bare(body)) === canonical(body)
