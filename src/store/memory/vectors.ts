/** Vectors in memory, by the places of what can be found. */
import { bytesOf } from '../bytes.js'
import type { NewVector, Unembedded } from '../contract/search.js'
import type { Entry } from '../entry.js'
import type { Workspace } from './room.js'
import { takeIn } from './search.js'

export function unembedded(home: Workspace, model: string, limit: number): readonly Unembedded[] {
  takeIn(home)
  const known = home.vectors.get(model)
  const missing = home.listed.filter(({ place }) => !known?.has(place)).slice(0, limit)
  return missing.map(({ conversation, seq }) => {
    const entry = home.rooms.get(conversation)?.entries[seq - 1] as Entry
    return { conversation, seq, text: entry.text }
  })
}

export function putVectors(home: Workspace, model: string, vectors: readonly NewVector[]): void {
  const known = home.vectors.get(model) ?? new Map<number, Int8Array>()
  home.vectors.set(model, known)
  const places = new Map(
    home.listed.map(({ conversation, seq, place }) => [JSON.stringify([conversation, seq]), place]),
  )
  for (const { conversation, seq, vector } of vectors) {
    const place = places.get(JSON.stringify([conversation, seq]))
    if (place !== undefined && !known.has(place)) known.set(place, bytesOf(vector))
  }
}

/** Returns how many there were. */
export function removeVectors(home: Workspace): number {
  const count = [...home.vectors.values()].reduce((sum, { size }) => sum + size, 0)
  home.vectors.clear()
  return count
}
