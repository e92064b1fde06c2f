/** Stores that find by meaning what they should not, or lose it. */

import type { SearchQuery } from '../../../src/store/contract/search.js'
import type { Store } from '../../../src/store/contract/store.js'
import { list, unlist } from '../../../src/store/memory/listing.js'
import type { Mutant } from './mutant.js'

/** A store that is asked something else, when it is asked by meaning. */
const asked =
  (change: (query: SearchQuery) => SearchQuery) =>
  ({ store }: { readonly store: Store }): Partial<Store> => ({
    search: (w, query) => store.search(w, query.near ? change(query) : query),
  })

const nearest = 'finds the nearest first, with their scores, and none that is farther than asked for'
const pages = 'gives the nearest in pages that miss and repeat none, whatever is written meanwhile'
const within = 'finds by meaning within a conversation, a branch, a tag, a role and a time'
const removed = 'finds no more by meaning what was redacted or deleted, even what was found a moment ago'
const anew = 'makes the index anew, in pages of any size, and finds the same in the same order'

export const meaning: readonly Mutant[] = [
  {
    name: 'finds by meaning the newest first',
    by: nearest,
    wrong: ({ store }) => ({
      async search(w, query) {
        const page = await store.search(w, query)
        return { ...page, items: page.items.toSorted((one, other) => other.seq - one.seq) }
      },
    }),
  },
  {
    name: 'finds what is far',
    by: nearest,
    wrong: asked((query) => ({ ...query, near: { ...(query.near as NonNullable<typeof query.near>), least: -2 } })),
  },
  {
    name: 'compares vectors of any model',
    by: 'never compares vectors of different models or lengths, nor those of nothing',
    wrong: asked((query) => ({
      ...query,
      near: { ...(query.near as NonNullable<typeof query.near>), model: 'test/2' },
    })),
  },
  {
    name: 'fuses nothing',
    by: 'fuses those that have the words with the nearest, and tells by what each was found',
    wrong: asked((query) => ({ ...query, near: { ...(query.near as NonNullable<typeof query.near>), by: 'meaning' } })),
  },
  { name: 'forgets the branch by meaning', by: within, wrong: asked(({ branch: _, ...query }) => query) },
  { name: 'forgets the tag by meaning', by: within, wrong: asked(({ tag: _, ...query }) => query) },
  { name: 'forgets the role by meaning', by: within, wrong: asked(({ role: _, ...query }) => query) },
  {
    name: 'forgets the branch',
    by: 'finds on the path of one branch, whatever else was said',
    wrong: ({ store }) => ({ search: (w, { branch: _, ...query }) => store.search(w, query) }),
  },
  {
    name: 'forgets the tag',
    by: 'finds in conversations with a tag, as they are tagged now',
    wrong: ({ store }) => ({ search: (w, { tag: _, ...query }) => store.search(w, query) }),
  },
  {
    name: 'pages over the nearest by counting them',
    by: pages,
    wrong: ({ store }) => ({
      async search(w, { cursor, limit, ...query }) {
        if (!query.near) return store.search(w, { limit, ...query, ...(cursor === undefined ? null : { cursor }) })
        const { items } = await store.search(w, { ...query, limit: 1_000 })
        const from = Number(cursor ?? 0)
        return {
          items: items.slice(from, from + limit),
          cursor: items.length > from + limit ? String(from + limit) : null,
        }
      },
    }),
  },
  {
    name: 'keeps the meaning of what was removed',
    by: removed,
    wrong: (sound) => ({
      async redact(w, c, entry) {
        const home = sound.workspaces.get(w)
        const listed = [...(home?.listing.all.values() ?? [])]
        for (const { bySize } of home?.vectors.values() ?? [])
          for (const [size, vectors] of bySize) bySize.set(size, { ...vectors, drop: () => {} })
        const removal = await sound.store.redact(w, c, entry)
        for (const one of listed) if (home) list(home.listing, one)
        return removal
      },
    }),
  },
  {
    name: 'puts a second vector over the first',
    by: 'keeps the first vector of an entry, and none of what is not there',
    wrong: (sound) => ({
      async putVectors(w, model, vectors) {
        const known = sound.workspaces.get(w)?.vectors.get(model)
        if (vectors.length > 1) known?.places.clear()
        if (vectors.length > 1) known?.bySize.clear()
        return sound.store.putVectors(w, model, vectors)
      },
    }),
  },
  {
    name: 'lists what has a vector already',
    by: 'lists what has no vector yet, in the order in which it can be found, until it has one',
    wrong: ({ store }) => ({ unembedded: (w, _, limit) => store.unembedded(w, 'another model', limit) }),
  },
  {
    name: 'gives new places when it makes the index anew',
    by: anew,
    wrong: (sound) => ({
      async reindex(w, query) {
        const home = sound.workspaces.get(w)
        if (home) {
          unlist(home.listing, [...home.listing.all.values()])
          for (const room of home.rooms.values()) room.indexed = 0
        }
        return sound.store.reindex(w, query)
      },
    }),
  },
  {
    name: 'makes one page of the index anew and takes it for all',
    by: anew,
    wrong: ({ store }) => ({
      reindex: async (w, query) => ({ ...(await store.reindex(w, query)), cursor: null }),
    }),
  },
  {
    name: 'takes everything for taken in when it makes the index anew from somewhere',
    by: 'begins where it is told to, and takes nothing for done that is not',
    wrong: (sound) => ({
      async reindex(w, query) {
        if (query.cursor !== undefined)
          for (const room of sound.workspaces.get(w)?.rooms.values() ?? []) room.indexed = room.entries.length
        return sound.store.reindex(w, query)
      },
    }),
  },
]
