/** Vectors in memory, by the places of what can be found. */

import type { Entry } from '../contract/entry.js'
import type { NewVector, Unembedded } from '../contract/search.js'
import { createVectors, type Vectors } from '../search/vectors.js'
import { bytesOf } from '../shared/bytes.js'
import { type Listed, listedAt } from './listing.js'
import type { Workspace } from './room.js'
import { takeIn } from './search.js'

/** Those of one model. */
export interface Embedded {
  readonly places: Set<number>
  /** The highest of them, and of those that went. */
  last: number
  /** By the number of their dimensions: those of different ones are never compared. */
  readonly bySize: Map<number, Vectors>
}

export function unembedded(home: Workspace, model: string, limit: number): readonly Unembedded[] {
  takeIn(home)
  const missing: Listed[] = []
  // vectors are put in the order of places, so that none is missing before the last
  for (let place = home.vectors.get(model)?.last ?? 1; place <= home.places && missing.length < limit; place++) {
    const one = home.listing.all.get(place)
    if (one && !home.vectors.get(model)?.places.has(place)) missing.push(one)
  }
  return missing.map(({ conversation, seq }) => {
    const entry = home.rooms.get(conversation)?.entries[seq - 1] as Entry
    return { conversation, seq, text: entry.text }
  })
}

export function putVectors(home: Workspace, model: string, given: readonly NewVector[]): void {
  const own: Embedded = home.vectors.get(model) ?? { places: new Set(), last: 1, bySize: new Map() }
  home.vectors.set(model, own)
  for (const { conversation, seq, vector } of given) {
    const one = listedAt(home.listing, conversation, seq)
    if (!one || own.places.has(one.place)) continue
    const { place, role, instant } = one
    own.places.add(place)
    own.last = Math.max(own.last, place)
    const vectors = own.bySize.get(vector.length) ?? createVectors(vector.length)
    own.bySize.set(vector.length, vectors)
    vectors.add([{ place, conversation, seq, role, instant, vector: bytesOf(vector) }])
  }
}

/** Returns how many there were. */
export function removeVectors(home: Workspace): number {
  const count = [...home.vectors.values()].reduce((sum, { places }) => sum + places.size, 0)
  home.vectors.clear()
  return count
}
