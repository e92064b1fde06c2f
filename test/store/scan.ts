/** Search without an index: every entry is looked at each time. It says what the index of the memory store must find. */

import type { Entry } from '../../src/store/contract/entry.js'
import type { NewVector, SearchQuery } from '../../src/store/contract/search.js'
import type { Room, Workspace } from '../../src/store/memory/room.js'
import { filterOf, type Searched, searchedOf } from '../../src/store/search/found.js'
import { isSought, soughtIn } from '../../src/store/search/terms.js'
import { bytesOf, cosine } from '../../src/store/shared/bytes.js'

export interface Scan {
  /** Takes in what is new. */
  look(): void
  /** The ids of all that is found, in order. */
  find(query: Omit<SearchQuery, 'limit'>): readonly string[]
  /** As `putVectors` of the store. */
  embed(vectors: readonly NewVector[]): void
}

interface Seen extends Searched {
  readonly room: Room
  readonly entry: Entry
  readonly place: number
}

export function scanOf(home: () => Workspace | undefined): Scan {
  /** In the order in which they were first looked at: by conversation, then by `seq`. */
  const order: { readonly room: Room; readonly seq: number }[] = []
  const looked = new Map<Room, number>()
  const meant = new Map<string, Float32Array>()

  const seen = (): readonly Seen[] => {
    const rooms = [...(home()?.rooms.values() ?? [])]
    rooms.sort((one, other) => (one.conversation.id < other.conversation.id ? -1 : 1))
    for (const room of rooms) {
      for (let seq = (looked.get(room) ?? 0) + 1; seq <= room.entries.length; seq++) order.push({ room, seq })
      looked.set(room, room.entries.length)
    }
    return order.flatMap(({ room, seq }, place) => {
      const entry = room.entries[seq - 1] as Entry
      const searched = rooms.includes(room) ? searchedOf(entry) : null
      return searched ? [{ ...searched, room, entry, place }] : []
    })
  }

  return {
    look: () => void seen(),
    find(query) {
      const { text, near } = query
      const sought = soughtIn(text)
      if (sought.length === 0 && !near) return []
      const all = seen().filter((one) => passes(one, query))
      const words = all.filter(({ terms }) => sought.every((word) => [...terms].some((term) => isSought(word, term))))
      if (!near) return words.toReversed().map(({ entry }) => entry.id)
      const close = all
        .map((one) => ({ ...one, score: score(meant.get(one.entry.id), near.vector) }))
        .filter((one) => one.score >= near.least)
      return close.sort((one, other) => other.score - one.score || other.place - one.place).map(({ entry }) => entry.id)
    },
    embed(vectors) {
      for (const { conversation, seq, vector } of vectors) {
        const id = home()?.rooms.get(conversation)?.entries[seq - 1]?.id ?? ''
        if (!meant.has(id)) meant.set(id, vector)
      }
    },
  }
}

const score = (one: Float32Array | undefined, other: Float32Array): number =>
  one?.some((value) => value !== 0) ? cosine(bytesOf(one), bytesOf(other)) : Number.NaN

function passes({ room, entry, role, instant }: Seen, query: Omit<SearchQuery, 'limit'>): boolean {
  const { since, until } = filterOf({ ...query, limit: 1 })
  if (query.conversation !== undefined && room.conversation.id !== query.conversation) return false
  if (query.role !== undefined && role !== query.role) return false
  if (query.tag !== undefined && !room.conversation.tags.includes(query.tag)) return false
  if (since !== null && !(instant !== null && instant >= since)) return false
  if (until !== null && !(instant !== null && instant < until)) return false
  return query.branch === undefined || onBranch(room, entry.id, query.branch)
}

function onBranch(room: Room, id: string, branch: string): boolean {
  let at = room.branches.get(branch)?.head ?? null
  while (at !== null && at !== id) at = room.byId.get(at)?.parent ?? null
  return at === id
}
