/** The vectors of the workspaces that were searched lately. */
import { type Lru, lru } from '../../core/message/lru.js'
import type { Bound, Ref, Scored } from './ranked.js'
import { createVectors, type KeptVector, type Vectors, type Wanted } from './vectors.js'

/** So many workspaces are held at once. */
const workspaces = 8

export type Library = ReturnType<typeof createLibrary>

type Read = (after: number, limit: number) => Promise<readonly KeptVector[]>

const page = 5_000

/** Those of the workspaces that were asked about lately; the rows that are new come from `read`, in pages. */
export function createLibrary() {
  let held: Lru<Vectors> = lru(workspaces)
  return {
    async of(workspace: string, model: string, dimensions: number, read: Read): Promise<Vectors> {
      const name = JSON.stringify([workspace, model, dimensions])
      const vectors = held.get(name) ?? createVectors(dimensions)
      held.set(name, vectors)
      for (;;) {
        const rows = await read(vectors.last(), page)
        // someone else may have been faster
        vectors.add(rows.filter(({ place }) => place > vectors.last()))
        if (rows.length < page) return vectors
      }
    },
    forget() {
      held = lru(workspaces)
    },
  }
}

/** The nearest of those that are still there; the others are forgotten. */
export async function nearestLiving(
  vectors: Vectors,
  vector: Int8Array,
  wanted: Wanted,
  bound: Bound,
  living: (refs: readonly Ref[]) => Promise<ReadonlySet<number>>,
): Promise<readonly Scored[]> {
  for (;;) {
    const found = vectors.nearest(vector, wanted, bound)
    const alive = await living(found)
    if (found.every(({ place }) => alive.has(place))) return found
    vectors.drop(found.filter(({ place }) => !alive.has(place)).map(({ place }) => place))
  }
}
