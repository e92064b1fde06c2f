/** Stores that keep records wrongly, or find too much or too little. */

import type { Page } from '../../../src/store/contract/page.js'
import type { Hit, SearchQuery } from '../../../src/store/contract/search.js'
import type { Store } from '../../../src/store/contract/store.js'
import { list } from '../../../src/store/memory/listing.js'
import { fileName } from '../../../src/store/memory/records.js'
import { byTime, type Mutant, stored } from './mutant.js'

/** A store whose hits are changed. */
const hits =
  (change: (items: readonly Hit[], query: SearchQuery) => readonly Hit[]) =>
  ({ store }: { readonly store: Store }): Partial<Store> => ({
    async search(w, query) {
      const page = await store.search(w, query)
      return { ...page, items: change(page.items, query) }
    },
  })

/** A store that is asked something else. */
const asked =
  (change: (query: SearchQuery) => SearchQuery) =>
  ({ store }: { readonly store: Store }): Partial<Store> => ({ search: (w, query) => store.search(w, change(query)) })

const offset = (cursor: string | undefined): number => (cursor === undefined ? 0 : Number(atob(cursor)))

/** Pages by counting, as careless code makes them. */
async function counted<T>(read: () => Promise<Page<T>>, limit: number, cursor: string | undefined): Promise<Page<T>> {
  const { items } = await read()
  const from = offset(cursor)
  return {
    items: items.slice(from, from + limit),
    cursor: items.length > from + limit ? btoa(`${from + limit}`) : null,
  }
}

export const finding: readonly Mutant[] = [
  {
    name: 'changes a record whatever is expected',
    by: 'changes a record only from the revision that is expected, and tells the one it has',
    wrong: ({ store }) => ({ putRecord: (w, { expect: _, ...record }) => store.putRecord(w, record) }),
  },
  {
    name: 'does not tell the revision that a record has',
    by: 'changes a record only from the revision that is expected, and tells the one it has',
    wrong: ({ store }) => ({
      putRecord: (w, record) =>
        store.putRecord(w, record).catch((error) => {
          for (const issue of error.issues) delete (issue as { value?: unknown }).value
          throw error
        }),
    }),
  },
  {
    name: 'lets two writers of a record win',
    by: 'lets one of many writers with the same expectation change a record',
    wrong: ({ store }) => ({
      async putRecord(w, { expect, ...record }) {
        const known = await store.getRecord(w, record.kind, record.id)
        await new Promise((wake) => setImmediate(wake))
        if (expect !== undefined && expect !== (known?.revision ?? null))
          return store.putRecord(w, { ...record, expect })
        return store.putRecord(w, record)
      },
    }),
  },
  {
    name: 'lists records by their last change',
    by: 'lists records newest first, in pages that miss and repeat none while others are made',
    wrong: (sound) => ({
      async putRecord(w, record) {
        const home = sound.workspaces.get(w)
        const answer = await sound.store.putRecord(w, record)
        const name = fileName(record.kind, record.id)
        const filed = home?.records.get(name)
        if (home && filed) home.records.set(name, { ...filed, place: ++home.places })
        return answer
      },
    }),
  },
  {
    name: 'pages over records by counting them',
    by: 'lists records newest first, in pages that miss and repeat none while others are made',
    wrong: ({ store }) => ({
      records: (w, { limit, cursor, ...query }) =>
        counted(() => store.records(w, { ...query, limit: 1_000 }), limit, cursor),
    }),
  },
  {
    name: 'reads records of any workspace',
    by: "answers another workspace's getRecord as if the thing were not there",
    wrong: (sound) => ({
      async getRecord(_, kind, id) {
        for (const { records } of sound.workspaces.values()) {
          const found = records.get(fileName(kind, id))
          if (found) return found.record
        }
        return null
      },
    }),
  },
  {
    name: 'takes a record of another workspace for its own',
    by: 'keeps kinds, conversations and workspaces apart',
    wrong: (sound) => ({
      async putRecord(w, record) {
        const name = fileName(record.kind, record.id)
        const owner = [...sound.workspaces].find(([, { records }]) => records.has(name))?.[0] ?? w
        const { conversation, ...rest } = record
        return sound.store.putRecord(owner, owner === w && conversation !== undefined ? record : rest)
      },
    }),
  },
  {
    name: 'gives a record to another conversation',
    by: 'refuses a record of a conversation that is not there, or no longer, and to give one to another',
    wrong: (sound) => ({
      async putRecord(w, record) {
        const known = await sound.store.getRecord(w, record.kind, record.id)
        if (known && record.conversation !== undefined && known.conversation !== record.conversation)
          await sound.store.removeRecord(w, record.kind, record.id)
        return sound.store.putRecord(w, record)
      },
    }),
  },
  {
    name: 'takes a record of a conversation that is gone',
    by: 'turns every late writer and reader away, and brings nothing back',
    wrong: ({ store }) => ({
      putRecord: (w, { conversation: _, ...record }) => store.putRecord(w, record),
    }),
  },
  {
    name: 'leaves records behind a delete',
    by: 'removes one conversation with all it owns, and says what was removed',
    wrong: (sound) => ({
      async remove(w, c) {
        const home = sound.workspaces.get(w)
        const records = new Map(home?.records)
        const removal = await sound.store.remove(w, c)
        for (const [name, filed] of records) home?.records.set(name, filed)
        return removal
      },
    }),
  },
  {
    name: 'leaves the events that told the words of a redacted entry',
    by: 'removes events, quoting records and found words with the words of an entry, and leaves other records',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const room = stored(sound, w, c)
        const events = [...(room?.events ?? [])]
        const removal = await sound.store.redact(w, c, id)
        room?.events.push(...events)
        return removal
      },
    }),
  },
  {
    name: 'leaves a record that quotes a redacted entry',
    by: 'removes events, quoting records and found words with the words of an entry, and leaves other records',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const home = sound.workspaces.get(w)
        const records = new Map(home?.records)
        const removal = await sound.store.redact(w, c, id)
        for (const [name, filed] of records) home?.records.set(name, filed)
        return removal
      },
    }),
  },
  {
    name: 'finds nothing that was written after the first search',
    by: 'sees every append before it, however many there are and wherever they go',
    wrong: (sound) => ({
      async search(w, query) {
        for (const room of sound.workspaces.get(w)?.rooms.values() ?? [])
          if (room.indexed > 0) room.indexed = room.entries.length
        return sound.store.search(w, query)
      },
    }),
  },
  {
    name: 'takes in so many entries of a conversation and takes it for done',
    by: 'sees every append before it, however many there are and wherever they go',
    wrong: (sound) => ({
      async search(w, query) {
        for (const room of sound.workspaces.get(w)?.rooms.values() ?? [])
          room.indexed = Math.max(room.indexed, room.entries.length - 100)
        return sound.store.search(w, query)
      },
    }),
  },
  {
    name: 'takes in so many conversations and takes them for all',
    by: 'finds what was said in a hundred conversations, each with its title of now',
    wrong: (sound) => ({
      async search(w, query) {
        const rooms = [...(sound.workspaces.get(w)?.rooms.values() ?? [])]
        for (const room of rooms.slice(100)) room.indexed = room.entries.length
        return sound.store.search(w, query)
      },
    }),
  },
  {
    name: 'takes in an entry twice',
    by: 'finds the same while many search and write at once',
    wrong: (sound) => ({
      async search(w, query) {
        const page = await sound.store.search(w, query)
        for (const room of sound.workspaces.get(w)?.rooms.values() ?? []) room.indexed = 0
        return page
      },
    }),
  },
  {
    name: 'finds what was redacted',
    by: 'finds nothing of what was redacted or removed, and says that it went',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const home = sound.workspaces.get(w)
        const listed = [...(home?.listing.all.values() ?? [])]
        const removal = await sound.store.redact(w, c, id)
        for (const one of listed) if (home) list(home.listing, one)
        return removal
      },
    }),
  },
  {
    name: 'says where things stand in another order',
    by: 'says where entries stand that have words, the newest first, or are near, the nearest first',
    wrong: ({ store }) => ({
      locate: async (...a) =>
        (await store.locate(...a)).map((spots) => spots.toSorted((one, other) => one.seq - other.seq)),
    }),
  },
  {
    name: 'picks only what is there',
    by: 'picks entries by where they stand, in the order asked for, and tells which are not there',
    wrong: ({ store }) => ({ pick: async (...a) => (await store.pick(...a)).filter((entry) => entry !== null) }),
  },
  {
    name: 'finds in every workspace',
    by: 'finds in one conversation, or in all of a workspace and no other',
    wrong: (sound) => ({
      async search(w, query) {
        const pages = await Promise.all([...sound.workspaces.keys()].map((one) => sound.store.search(one, query)))
        return { ...(await sound.store.search(w, query)), items: pages.flatMap(({ items }) => items) }
      },
    }),
  },
  {
    name: 'finds in every conversation',
    by: 'finds in one conversation, or in all of a workspace and no other',
    wrong: asked(({ conversation: _, ...query }) => query),
  },
  {
    name: 'finds entries with any of the words',
    by: 'finds entries that have all the words, the last one as a beginning, the newest first',
    wrong: asked((query) => ({ ...query, text: query.text.split(' ').at(-1) ?? '' })),
  },
  {
    name: 'finds the last word only as a whole',
    by: 'finds entries that have all the words, the last one as a beginning, the newest first',
    wrong: asked((query) => (query.text.endsWith(' ') ? query : { ...query, text: `${query.text} ${query.text}x` })),
  },
  {
    name: 'finds in the order of time',
    by: 'finds by the time at which it was said, as a point in time',
    wrong: hits((items) => byTime(items)),
  },
  {
    name: 'finds the oldest first',
    by: 'finds entries that have all the words, the last one as a beginning, the newest first',
    wrong: hits((items) => items.toReversed()),
  },
  {
    name: 'compares times as texts',
    by: 'finds by the time at which it was said, as a point in time',
    wrong: ({ store }) => ({
      async search(w, { since, until, ...query }) {
        const page = await store.search(w, query)
        const isWithin = ({ at }: Hit) => (since === undefined || at >= since) && (until === undefined || at < until)
        return { ...page, items: page.items.filter(isWithin) }
      },
    }),
  },
  {
    name: 'pages over hits by counting them',
    by: 'gives hits in pages that miss and repeat none, whatever is written meanwhile',
    wrong: ({ store }) => ({
      search: (w, { limit, cursor, ...query }) =>
        counted(() => store.search(w, { ...query, limit: 1_000 }), limit, cursor),
    }),
  },
  {
    name: 'takes tools for assistants',
    by: 'tells who said it, and finds by that: tools have their own voice, and notes none',
    wrong: hits((items) => items.map((hit) => ({ ...hit, role: hit.role === 'tool' ? 'assistant' : hit.role }))),
  },
  {
    name: 'shows the beginning of a long text',
    by: 'shows a stretch around the first word it found, and where the words stand in it',
    wrong: (sound) => ({
      async search(w, query) {
        const page = await sound.store.search(w, query)
        const items = page.items.map((hit) => ({
          ...hit,
          snippet: (stored(sound, w, hit.conversation)?.byId.get(hit.entry)?.text ?? '').slice(0, 240),
        }))
        return { ...page, items }
      },
    }),
  },
  {
    name: 'counts marks in whole characters',
    by: 'shows a stretch around the first word it found, and where the words stand in it',
    wrong: hits((items) =>
      items.map((hit) => ({
        ...hit,
        marks: hit.marks.map(([from, to]) => {
          const before = Array.from(hit.snippet.slice(0, from)).length
          return [before, before + to - from] as const
        }),
      })),
    ),
  },
  {
    name: 'shows the title that a conversation had',
    by: 'finds what was said in a hundred conversations, each with its title of now',
    wrong: hits((items) => items.map((hit) => ({ ...hit, title: `old ${hit.conversation}` }))),
  },
]
