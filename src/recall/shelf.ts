/** The catalogues of the conversations that were asked about lately; only what is new on a path is read. */
import { type Lru, lru } from '../core/message/lru.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { cardOf, roleOf } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Embedder } from './embedder.js'
import { createTurns } from './turns.js'

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

/** So many cards are held in all, the newest of each conversation first. */
const held = 40_000
const entries = 10_000
/** Read at first, because mostly the rest is known, and then at once. */
const few = 24
const page = 500
/** So many characters are looked at before others have their turn. */
const slice = 60_000

export function createShelf(embedder: () => Promise<Embedder | null>): Shelf {
  const stores = new WeakMap<Store, Lru<Held>>()
  const inTurn = createTurns()
  return (place) => {
    const name = JSON.stringify([place.workspace, place.conversation])
    const shelf = stores.get(place.store) ?? lru<Held>(held, ({ catalogue }) => catalogue.cards.length + 1)
    stores.set(place.store, shelf)
    return inTurn(place.store, name, async () => {
      const before = shelf.get(name)
      const path = await read(place, before?.last ?? null)
      const known = path.findIndex(({ id }) => id === before?.last)
      const catalogue = before && known >= 0 ? before.catalogue : createCatalogue()
      if (!before || known < 0) shelf.set(name, { catalogue, last: null })
      for await (const some of slicesOf(path.slice(known + 1))) {
        const vectors = await (await embedder())?.embed(some.map(({ text }) => text))
        for (const [at, entry] of some.entries()) add(catalogue, entry, vectors?.[at] ?? null)
        shelf.set(name, { catalogue, last: (some.at(-1) as Entry).id })
      }
      return catalogue
    })
  }
}

/** From the last known entry on, or from far back when the path does not lead through it. */
async function read(
  { store, workspace, conversation, head, current }: Place,
  last: string | null,
): Promise<readonly Entry[]> {
  const path: Entry[] = []
  for (let from: string | null = head, limit = few; from !== null && path.length < entries; limit = page) {
    const some: readonly Entry[] = await store.path(workspace, conversation, from, limit)
    path.unshift(...some)
    if (last !== null && some.some(({ id }) => id === last)) break
    from = some[0]?.parent ?? null
  }
  return path.slice(0, endOf(path, current))
}

function endOf(path: readonly Entry[], current: string): number {
  const at = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
  return at >= 0 && (path[at] as Entry).text === current ? at : path.length
}

/** Others have their turn in between. */
async function* slicesOf(fresh: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  for (let from = 0, to = 0; from < fresh.length; from = to) {
    if (from > 0) await new Promise((wake) => setTimeout(wake))
    for (let chars = 0; to < fresh.length && chars < slice; to++) chars += (fresh[to] as Entry).text.length
    yield fresh.slice(from, to)
  }
}

function add(catalogue: Catalogue, entry: Entry, vector: Float32Array | null): void {
  const role = roleOf(entry)
  if (role === null || role === 'system' || entry.redacted || entry.text.trim() === '') return
  catalogue.add(...cardOf(entry, role, vector))
}
