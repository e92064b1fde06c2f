/** Stores that change what they hold, or let it be changed. */
import type { Entry } from '../../../src/store/contract/entry.js'
import { assigned, type Mutant, sorted, stored } from './mutant.js'

export const texts: readonly Mutant[] = [
  {
    name: 'shares its entries',
    by: 'gives copies: changing what was read changes nothing',
    wrong: (sound) => ({
      entry: async (w, c, id) => stored(sound, w, c)?.byId.get(id) ?? null,
    }),
  },
  {
    name: 'shares its conversations',
    by: 'gives copies: changing what was read changes nothing',
    wrong: (sound) => ({ get: async (w, c) => stored(sound, w, c)?.conversation ?? null }),
  },
  {
    name: 'keeps the bytes it is given',
    by: 'takes copies: changing what was given changes nothing',
    wrong: (sound) => ({
      async putBlob(w, c, blob) {
        const facts = await sound.store.putBlob(w, c, blob)
        sound.workspaces.get(w)?.blobs.set(facts.sha256, { ...facts, bytes: blob.bytes })
        return facts
      },
    }),
  },
  {
    name: 'normalises text',
    by: 'gives back composed and decomposed twins as it was',
    wrong: ({ store }) => ({
      append: (w, c, batch, options) =>
        store.append(
          w,
          c,
          batch.map((entry) => ({
            ...entry,
            text: typeof entry.text === 'string' ? entry.text.normalize() : entry.text,
          })),
          options,
        ),
    }),
  },
  {
    name: 'mends half characters instead of refusing them',
    by: 'refuses half a character wherever it is written',
    wrong: ({ store }) => ({
      append: (w, c, batch, options) =>
        store.append(
          w,
          c,
          batch.map((entry) => ({ ...entry, text: Buffer.from(entry.text).toString() })),
          options,
        ),
    }),
  },
  {
    name: 'cuts text at a NUL',
    by: 'refuses a NUL wherever it is written',
    wrong: ({ store }) => ({
      append: (w, c, batch, options) =>
        store.append(
          w,
          c,
          batch.map((entry) => ({ ...entry, text: entry.text.split('\0')[0] ?? '' })),
          options,
        ),
    }),
  },
  {
    name: 'sorts the keys of JSON',
    by: 'gives back numbers, keys and their order as JSON has them',
    wrong: (sound) => ({
      async entry(w, c, id) {
        const entry = await sound.store.entry(w, c, id)
        return entry && { ...entry, body: sorted(entry.body) as Entry['body'] }
      },
    }),
  },
  {
    name: 'shares the bytes it holds',
    by: 'gives copies: changing what was read changes nothing',
    wrong: ({ workspaces }) => ({ getBlob: async (w, sha) => workspaces.get(w)?.blobs.get(sha) ?? null }),
  },
  {
    name: 'knows no difference of case in ids',
    by: 'takes ids, names and workspaces of any script, and knows twins apart',
    wrong: ({ store }) => ({
      create: (w, input) => store.create(w, { ...input, id: input.id.toLowerCase() }),
      get: (w, id) => store.get(w, id.toLowerCase()),
    }),
  },
  {
    name: 'makes a prototype of a key',
    by: 'gives back numbers, keys and their order as JSON has them',
    wrong: ({ store }) => ({
      async entry(w, c, id) {
        const entry = await store.entry(w, c, id)
        return entry && { ...entry, body: assigned(entry.body) as Entry['body'] }
      },
    }),
  },
]
