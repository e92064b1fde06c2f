/** Entries that were read or written lru, so that a conversation that goes on is not read from the file again. */
import type { Reach, Stretch } from '../contract/append.js'
import type { Entry } from '../entry.js'
import type { Key } from './desk.js'
import type { Database } from './driver.js'
import * as side from './side.js'

export interface Recent {
  /** The newest part of the path that ends with `head`; null when not all of it is here. */
  stretch(key: Key, head: string, reach: Reach): Stretch | null
  /** An entry, if it is here. */
  entry(key: Key, id: string): Entry | null
  /** What was read from the file just now, or written to it; `since` is the state it was read or written in. */
  keep(key: Key, entries: readonly Entry[], since: number): void
  /** Another number after each `forget`. */
  readonly state: number
  /** To be called inside each write that changes entries or removes them. */
  forget(): void
}

/** Characters of what is kept, about; an entry counts for at least a thousand. */
const most = 16_000_000
const least = 1_000
/** A longer one is read again each time. */
const longest = 100_000
/** More at once are nobody's window. */
const many = 1_000

type Known = Map<string, Entry>

export function recentOn(db: Database): Recent {
  /** The conversation that was used last is the last. */
  const kept = new Map<string, Known>()
  let size = 0
  let state = 0
  let version: unknown

  const clear = (): void => {
    kept.clear()
    size = 0
    state++
  }
  /** Another process has written: it may have removed something. */
  const check = (): void => {
    const now = db.get(side.dataVersion)?.data_version
    if (now !== version) clear()
    version = now
  }
  const touch = (name: string): Known | undefined => {
    const known = kept.get(name)
    if (!known) return undefined
    kept.delete(name)
    kept.set(name, known)
    return known
  }
  const trim = (): void => {
    for (const [name, known] of kept) {
      if (size <= most) return
      for (const entry of known.values()) size -= sizeOf(entry)
      kept.delete(name)
    }
  }

  return {
    get state() {
      return state
    },
    stretch(key, head, reach) {
      check()
      const known = touch(nameOf(key))
      return known ? stretchOf(known, head, reach) : null
    },
    entry(key, id) {
      check()
      const entry = kept.get(nameOf(key))?.get(id)
      return entry ? ownOf(entry) : null
    },
    keep(key, entries, since) {
      if (since !== state || entries.length === 0 || entries.length > many) return
      const name = nameOf(key)
      const known: Known = touch(name) ?? new Map()
      kept.set(name, known)
      for (const entry of entries) {
        if (known.has(entry.id) || entry.text.length > longest) continue
        known.set(entry.id, ownOf(entry))
        size += sizeOf(entry)
      }
      trim()
    },
    forget: clear,
  }
}

const nameOf = ({ workspace, conversation }: Key): string => `${workspace}\0${conversation}`

const sizeOf = ({ text }: Entry): number => least + text.length

const { POSITIVE_INFINITY: all } = Number

/** As the statement `window` walks. */
function stretchOf(known: Known, head: string, reach: Reach): Stretch | null {
  const { tokens = all, entries = all, turns: back = all } = reach
  const last = known.get(head)
  if (!last) return null
  const path = [last]
  const ids = new Set([head])
  for (let entry = last; entry.parent !== null && path.length <= entries; ) {
    const parent = known.get(entry.parent)
    if (!parent) return null
    if (parent.total < last.total - tokens || parent.turns < last.turns - back) break
    path.push(parent)
    ids.add(parent.id)
    entry = parent
  }
  const [opener, summary] = [last.opener, last.summary].map((id) => (id === null || ids.has(id) ? null : known.get(id)))
  if (opener === undefined || summary === undefined) return null
  const read = path.reverse().map(ownOf)
  return {
    head: read.at(-1) as Entry,
    entries: read,
    opener: opener && ownOf(opener),
    summary: summary && ownOf(summary),
  }
}

/** What is given out is the caller's own. */
const ownOf = (entry: Entry): Entry => ({
  ...entry,
  body: copyOf(entry.body),
  ...(entry.meta === undefined ? null : { meta: copyOf(entry.meta) }),
})

function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as T
  const copy = { ...value }
  for (const name in copy) {
    const inner = copy[name]
    if (typeof inner === 'object' && inner !== null) copy[name] = copyOf(inner)
  }
  return copy
}
