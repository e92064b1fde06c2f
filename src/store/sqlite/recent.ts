/** Entries that were read or written lru, so that a conversation that goes on is not read from the file again. */
import type { Reach, Stretch } from '../contract/append.js'
import type { Entry } from '../contract/entry.js'
import type { Key } from './desk.js'
import type { Standing } from './standing.js'

/** Everything here holds for one revision of its conversation, which the reader asks the file for. */
export interface Recent {
  /** The newest part of the path that ends with `head`; null when not all of it is here. */
  stretch(key: Key, revision: number, head: string, reach: Reach): Stretch | null
  /** An entry, if it is here. */
  entry(key: Key, revision: number, id: string): Entry | null
  /** What was read from the file just now, or written to it. */
  keep(key: Key, revision: number, entries: readonly Entry[]): void
  /** Where the conversation stood after the last write; whether it still does, the next write finds out. */
  standing(key: Key): Standing | null
  /** To be called with the commit of a write; what was kept goes on to hold. */
  stands(key: Key, standing: Standing): void
  /** Something about the conversation changed that is not kept here. */
  moved(key: Key, revision: number): void
}

/** Characters of what is kept, about; an entry counts for at least a thousand. */
const usual = 32_000_000
const least = 1_000
/** Less is asked for to look where a conversation ends. */
const glance = 8
/** A longer one is read again each time. */
const longest = 100_000
/** More at once are nobody's window. */
const many = 1_000

type Known = Map<string, Entry>

interface Kept {
  revision: number
  standing: Standing | null
  entries: Known
}

export function newRecent(most = usual): Recent {
  /** The conversation that was used last is the last. */
  const kept = new Map<string, Kept>()
  let size = 0

  const empty = ({ entries }: Kept): void => {
    for (const entry of entries.values()) size -= sizeOf(entry)
    entries.clear()
  }
  const shed = ({ entries }: Kept, { entries: path, opener, summary }: Stretch): void => {
    if (path.length < glance || entries.size <= path.length + 3) return
    // with the one behind it, which says that the window ends there
    const taken = new Set([opener?.id, summary?.id, path[0]?.parent, ...path.map(({ id }) => id)])
    for (const [id, entry] of entries) {
      if (taken.has(id)) continue
      size -= sizeOf(entry)
      entries.delete(id)
    }
  }
  const touch = (key: Key, revision?: number): Kept | undefined => {
    const name = nameOf(key)
    const known = kept.get(name)
    if (!known) return undefined
    kept.delete(name)
    kept.set(name, known)
    if (revision === undefined || known.revision === revision) return known
    // someone else has written: it may have removed something
    empty(known)
    known.revision = revision
    known.standing = null
    return known
  }
  const open = (key: Key, revision: number): Kept => {
    const known = touch(key, revision)
    if (known) return known
    const made: Kept = { revision, standing: null, entries: new Map() }
    size += least
    kept.set(nameOf(key), made)
    return made
  }
  const trim = (): void => {
    for (const [name, known] of kept) {
      if (size <= most) return
      empty(known)
      size -= least
      kept.delete(name)
    }
  }

  return {
    stretch(key, revision, head, reach) {
      const known = touch(key, revision)
      const found = known ? stretchOf(known.entries, head, reach) : null
      // when it gets tight, of each conversation what windows take, so that more of them are here
      if (known && found && size > most / 2) shed(known, found)
      return found
    },
    entry(key, revision, id) {
      return touch(key, revision)?.entries.get(id) ?? null
    },
    keep(key, revision, entries) {
      if (entries.length === 0 || entries.length > many) return
      const known = open(key, revision)
      for (const entry of entries) {
        if (known.entries.has(entry.id) || entry.text.length > longest) continue
        known.entries.set(entry.id, ownOf(entry))
        size += sizeOf(entry)
      }
      trim()
    },
    standing: (key) => touch(key)?.standing ?? null,
    stands(key, standing) {
      const { revision } = standing
      const known = touch(key)
      // one revision further is this write: nobody else's came between
      if (known?.revision === revision - 1) known.revision = revision
      open(key, revision).standing = standing
      trim()
    },
    moved(key, revision) {
      const known = touch(key)
      if (known?.revision !== revision - 1) return
      known.revision = revision
      known.standing = null
    },
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
    const { total, turns } = parent ?? before(entry)
    if (total < last.total - tokens || turns < last.turns - back) break
    if (!parent) return null
    path.push(parent)
    ids.add(parent.id)
    entry = parent
  }
  const [opener, summary] = [last.opener, last.summary].map((id) => (id === null || ids.has(id) ? null : known.get(id)))
  if (opener === undefined || summary === undefined) return null
  return { head: last, entries: path.reverse(), opener, summary }
}

/** The sums of the entry behind it, which need not be here where the window ends. */
const before = ({ total, tokens, turns, body }: Entry): Pick<Entry, 'total' | 'turns'> => ({
  total: total - tokens,
  turns: body.kind === 'message' && body.role === 'user' ? turns - 1 : turns,
})

/** What is given out is the same for all, and nobody can change it. */
function ownOf(entry: Entry): Entry {
  // spread and then set, which makes an object that is read twice as fast as what came from a row
  const own: { -readonly [K in keyof Entry]: Entry[K] } = { ...entry }
  own.body = copyOf(entry.body)
  if (entry.meta !== undefined) own.meta = copyOf(entry.meta)
  return Object.freeze(own)
}

function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf)) as T
  const copy = { ...value }
  for (const name in copy) {
    const inner = copy[name]
    if (typeof inner === 'object' && inner !== null) copy[name] = copyOf(inner)
  }
  return Object.freeze(copy)
}
