/** The catalogues of the conversations that were asked about lately; only what is new on a path is read. */
import { type Lru, lru } from '../core/message/lru.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { cardOf, roleOf } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Embedder } from './embedder.js'

interface Place {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
  readonly head: string
  /** The message to answer: when it stands at the end already, nothing is looked for in it. */
  readonly current: string
}

type Shelf = (place: Place) => Promise<Catalogue>

interface Held {
  readonly catalogue: Catalogue
  /** The last entry that was looked at. */
  readonly last: string | null
}

/** So many conversations are held, each with so many of its newest entries. */
const conversations = 16
const entries = 10_000
/** Read at first, when much is held already. */
const few = 24

export function createShelf(embedder: () => Promise<Embedder | null>): Shelf {
  const stores = new WeakMap<Store, Lru<Held>>()
  return async (place) => {
    const held = stores.get(place.store) ?? lru<Held>(conversations)
    stores.set(place.store, held)
    const name = JSON.stringify([place.workspace, place.conversation])
    for (;;) {
      const before = held.get(name)
      const path = await read(place, before?.last ?? null)
      const known = path.findIndex(({ id }) => id === before?.last)
      const fresh = path.slice(known + 1)
      const vectors = await vectorsOf(fresh, await embedder())
      // someone else may have been faster
      if (held.get(name) !== before) continue
      const catalogue = before && known >= 0 ? before.catalogue : createCatalogue()
      for (const [at, entry] of fresh.entries()) add(catalogue, entry, vectors?.[at] ?? null)
      held.set(name, { catalogue, last: (path.at(-1) ?? null)?.id ?? null })
      return catalogue
    }
  }
}

/** From the last known entry on, or from far back when the path does not lead through it. */
async function read(
  { store, workspace, conversation, head, current }: Place,
  last: string | null,
): Promise<readonly Entry[]> {
  for (const limit of last === null ? [entries] : [few, entries]) {
    const path = await store.path(workspace, conversation, head, limit)
    if (limit === entries || path.some(({ id }) => id === last)) return path.slice(0, endOf(path, current))
  }
  return []
}

function endOf(path: readonly Entry[], current: string): number {
  const at = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
  return at >= 0 && (path[at] as Entry).text === current ? at : path.length
}

async function vectorsOf(fresh: readonly Entry[], embedder: Embedder | null): Promise<readonly Float32Array[] | null> {
  return embedder && fresh.length > 0 ? embedder.embed(fresh.map(({ text }) => text)) : null
}

function add(catalogue: Catalogue, entry: Entry, vector: Float32Array | null): void {
  const role = roleOf(entry)
  if (role === null || role === 'system' || entry.redacted || entry.text.trim() === '') return
  catalogue.add(...cardOf(entry, role, vector))
}
