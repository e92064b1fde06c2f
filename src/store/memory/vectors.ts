/** Vectors in memory, by the places of what can be found. */
import { bytesOf } from '../bytes.js'
import type { NewVector, Unembedded } from '../contract.js'
import type { Entry } from '../entry.js'
import { createVectors, type Vectors } from '../vectors.js'
import { type Listed, listedAt } from './listing.js'
import type { Workspace } from './room.js'
import { takeIn } from './search.js'

/** Those of one model. */
export interface Embedded {
  readonly places: Set<number>
  /** By the number of their dimensions: those of different ones are never compared. */
  readonly bySize: Map<number, Vectors>
}

export function unembedded(home: Workspace, model: string, limit: number): readonly Unembedded[] {
  takeIn(home)
  const known = home.vectors.get(model)?.places
  const missing: Listed[] = []
  for (const one of home.listing.all.values()) {
    if (missing.length === limit) break
    if (!known?.has(one.place)) missing.push(one)
  }
  return missing.map(({ conversation, seq }) => {
    const entry = home.rooms.get(conversation)?.entries[seq - 1] as Entry
    return { conversation, seq, text: entry.text }
  })
}

export function putVectors(home: Workspace, model: string, given: readonly NewVector[]): void {
  const { places, bySize } = home.vectors.get(model) ?? { places: new Set(), bySize: new Map<number, Vectors>() }
  home.vectors.set(model, { places, bySize })
  for (const { conversation, seq, vector } of given) {
    const one = listedAt(home.listing, conversation, seq)
    if (!one || places.has(one.place)) continue
    places.add(one.place)
    const vectors = bySize.get(vector.length) ?? createVectors(vector.length)
    bySize.set(vector.length, vectors)
    const { place, role, instant } = one
    vectors.add([{ place, conversation, seq, role, instant, vector: bytesOf(vector) }])
  }
}

/** Returns how many there were. */
export function removeVectors(home: Workspace): number {
  const count = [...home.vectors.values()].reduce((sum, { places }) => sum + places.size, 0)
  home.vectors.clear()
  return count
}
