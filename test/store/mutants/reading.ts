/** Stores that read wrongly. */
import { byId, byTime, type Mutant } from './mutant.js'

export const reading: readonly Mutant[] = [
  {
    name: 'orders the feed by time',
    by: 'keeps the order of writing when clocks run backwards and ids are random',
    wrong: ({ store }) => ({ feed: async (...a) => byTime(await store.feed(...a)) }),
  },
  {
    name: 'orders the feed by id',
    by: 'keeps the order of ids that sort backwards, within a batch and between batches',
    wrong: ({ store }) => ({ feed: async (...a) => byId(await store.feed(...a)) }),
  },
  {
    name: 'orders a path by time',
    by: 'keeps the order of writing when clocks run backwards and ids are random',
    wrong: ({ store }) => ({ path: async (...a) => byTime(await store.path(...a)) }),
  },
  {
    name: 'orders children by id',
    by: 'gives the children of an entry, and the roots, in the order of writing',
    wrong: ({ store }) => ({ children: async (...a) => byId(await store.children(...a)) }),
  },
  {
    name: 'gives a path newest first',
    by: 'gives a path from its root, or so many entries back',
    wrong: ({ store }) => ({ path: async (...a) => (await store.path(...a)).toReversed() }),
  },
  {
    name: 'reads a window one entry short',
    by: 'reads one entry more than the limit of entries',
    wrong: ({ store }) => ({
      window: async (w, c, b, reach) =>
        store.window(w, c, b, reach.entries ? { ...reach, entries: reach.entries - 1 } : reach),
    }),
  },
  {
    name: 'stops a window before the entry that crosses the tokens',
    by: 'reads back to the entry that crosses the tokens, and not past it',
    wrong: ({ store }) => ({
      window: async (w, c, b, reach) =>
        store.window(w, c, b, reach.tokens ? { ...reach, tokens: reach.tokens - 1 } : reach),
    }),
  },
  {
    name: 'reads a turn too many',
    by: 'reads back to the user message that crosses the turns',
    wrong: ({ store }) => ({
      window: async (w, c, b, reach) =>
        store.window(w, c, b, reach.turns === undefined ? reach : { ...reach, turns: reach.turns + 1 }),
    }),
  },
  {
    name: 'forgets the opener',
    by: 'brings the first user message of the path and the newest summary when they lie outside',
    wrong: ({ store }) => ({ window: async (...a) => ({ ...(await store.window(...a)), opener: null }) }),
  },
  {
    name: 'brings the summary twice',
    by: 'brings the first user message of the path and the newest summary when they lie outside',
    wrong: ({ store }) => ({
      async window(w, c, b, reach) {
        const found = await store.window(w, c, b, reach)
        const id = found.head?.summary
        return { ...found, summary: id ? await store.entry(w, c, id) : null }
      },
    }),
  },
  {
    name: 'skips an entry of the feed at the end of a page',
    by: 'shows a reader of the feed every entry once while four writers append',
    wrong: ({ store }) => ({ feed: async (w, c, after, limit) => store.feed(w, c, after > 0 ? after + 1 : 0, limit) }),
  },
  {
    name: 'gives an entry of the feed twice',
    by: 'gives the feed from any place, in pages',
    wrong: ({ store }) => ({ feed: async (w, c, after, limit) => store.feed(w, c, Math.max(0, after - 1), limit) }),
  },
  {
    name: 'lists without regard to pins',
    by: 'lists pinned conversations first, then the newest, then by id',
    wrong: ({ store }) => ({
      async list(w, query) {
        const page = await store.list(w, query)
        return { ...page, items: [...page.items].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)) }
      },
    }),
  },
  {
    name: 'pages by an offset',
    by: 'goes on where a page ended although conversations came and went',
    wrong: ({ store }) => ({
      async list(w, { cursor, limit, ...query }) {
        const from = cursor === undefined ? 0 : Number(cursor)
        if (!Number.isInteger(from)) return store.list(w, { ...query, limit, cursor: cursor as string })
        const { items } = await store.list(w, { ...query, limit: 1_000 })
        if (!(limit > 0)) return store.list(w, { ...query, limit })
        const more = items.length > from + limit
        return { items: items.slice(from, from + limit), cursor: more ? `${from + limit}` : null }
      },
    }),
  },
  {
    name: 'ignores a filter it does not know',
    by: 'refuses a cursor that no page gave, a limit that is none, and a filter it does not know',
    wrong: ({ store }) => ({
      list(w, { limit, cursor, archived, pinned, folder, tag }) {
        const known = Object.entries({ limit, cursor, archived, pinned, folder, tag })
        return store.list(w, Object.fromEntries(known.filter(([, value]) => value !== undefined)) as never)
      },
    }),
  },
  {
    name: 'finds a tag inside another',
    by: 'filters by pinned, archived, folder and tag, alone and together',
    wrong: ({ store }) => ({
      async list(w, { tag, ...query }) {
        const page = await store.list(w, query)
        return tag === undefined ? page : { ...page, items: page.items.filter(({ tags }) => tags.join().includes(tag)) }
      },
    }),
  },
  {
    name: 'lists conversations of every workspace',
    by: "answers another workspace's list as if the thing were not there",
    wrong: ({ store, workspaces }) => ({
      async list(_, query) {
        const pages = await Promise.all([...workspaces.keys()].map((name) => store.list(name, query)))
        return { items: pages.flatMap(({ items }) => items), cursor: null }
      },
    }),
  },
  {
    name: 'reads a window from the newest entry',
    by: 'reads from where the branch points, not from the newest entry',
    wrong: ({ store }) => ({
      async window(w, c, b, reach) {
        const last = (await store.feed(w, c, 0, 1_000)).at(-1)
        await store.setBranch(w, c, { name: 'newest', head: last?.id ?? null, expect: null, at: '' }).catch(() => null)
        return store.window(w, c, last ? 'newest' : b, reach)
      },
    }),
  },
  {
    name: 'ignores the limit of a path',
    by: 'gives a path from its root, or so many entries back',
    wrong: ({ store }) => ({ path: (w, c, head) => store.path(w, c, head) }),
  },
  {
    name: 'gives the first so many entries of a path instead of the last',
    by: 'gives a path from its root, or so many entries back',
    wrong: ({ store }) => ({
      path: async (w, c, head, limit) => (await store.path(w, c, head)).slice(0, limit),
    }),
  },
  {
    name: 'puts emoji before other characters',
    by: 'breaks ties character by character',
    wrong: ({ store }) => ({
      list: async (w, query) => ({ ...(await store.list(w, query)), items: byId((await store.list(w, query)).items) }),
    }),
  },
]
