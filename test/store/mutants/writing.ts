/** Stores that write wrongly. */
import type { Appended } from '../../../src/store/contract/append.js'
import type { Entry } from '../../../src/store/contract/entry.js'
import { type Mutant, stored } from './mutant.js'

export const writing: readonly Mutant[] = [
  {
    name: 'writes a batch entry by entry',
    by: 'leaves nothing of a batch with a bad entry in the middle',
    wrong: ({ store }) => ({
      async append(workspace, conversation, batch, { from, key, expect, ...options }) {
        let answer: Appended | undefined
        const entries: Entry[] = []
        for (const [i, entry] of batch.entries()) {
          const first = { ...(from === undefined ? null : { from }), ...(expect === undefined ? null : { expect }) }
          answer = await store.append(workspace, conversation, [entry], { ...options, ...(i === 0 ? first : null) })
          entries.push(...answer.entries)
        }
        return answer ? { ...answer, entries } : store.append(workspace, conversation, batch, options)
      },
    }),
  },
  {
    name: 'ignores the expected head',
    by: 'lets one of two writers with the same expectation win and tells the other where the head is',
    wrong: ({ store }) => ({
      append: (w, c, batch, { expect: _, ...options }) => store.append(w, c, batch, options),
    }),
  },
  {
    name: 'names no head when it has moved',
    by: 'lets one of many writers begin a conversation',
    wrong: ({ store }) => ({
      append: (...a) =>
        store.append(...a).catch((error) => {
          if (error.code === 'head_moved') delete error.issues[0].value
          throw error
        }),
    }),
  },
  {
    name: 'ignores keys',
    by: 'refuses a key that was used for other words, another branch or another place',
    wrong: ({ store }) => ({ append: (w, c, batch, { key: _, ...options }) => store.append(w, c, batch, options) }),
  },
  {
    name: 'shares keys between conversations',
    by: 'keeps keys of two conversations apart',
    wrong: ({ store }) => {
      const answers = new Map<string, Appended>()
      return {
        async append(w, c, batch, options) {
          const known = options.key === undefined ? undefined : answers.get(options.key)
          const answer = known ? { ...known, repeated: true } : await store.append(w, c, batch, options)
          if (options.key !== undefined) answers.set(options.key, answer)
          return answer
        },
      }
    },
  },
  {
    name: 'says of a retry that it was written',
    by: 'gives an exact retry the stored entries and writes nothing',
    wrong: ({ store }) => ({ append: async (...a) => ({ ...(await store.append(...a)), repeated: false }) }),
  },
  {
    name: 'writes a retry again under another id',
    by: 'gives an exact retry the stored entries and writes nothing',
    wrong: ({ store }) => ({
      async append(w, c, batch, options) {
        const known = await Promise.all(batch.map(({ id }) => store.entry(w, c, id)))
        const fresh = batch.map((entry, i) => (known[i] ? { ...entry, id: `${entry.id}'` } : entry))
        return store.append(w, c, fresh, options)
      },
    }),
  },
  {
    name: 'takes other words for an id that is there',
    by: 'refuses a retry with another text',
    wrong: ({ store }) => ({
      append: (...a) =>
        store.append(...a).catch(async (error) => {
          const entries = await Promise.all(a[2].map(({ id }) => store.entry(a[0], a[1], id)))
          if (error.code !== 'id_conflict' || entries.some((entry) => !entry)) throw error
          return { entries: entries as Entry[], head: entries.at(-1)?.id as string, repeated: true }
        }),
    }),
  },
  {
    name: 'begins at the head instead of where it is told',
    by: 'begins a branch at an entry, or moves one there, and the old path stays',
    wrong: ({ store }) => ({ append: (w, c, batch, { from: _, ...options }) => store.append(w, c, batch, options) }),
  },
  {
    name: 'loses one of two appends at once',
    by: 'keeps every append of many writers, without a gap and in one chain',
    wrong: ({ store }) => {
      let busy = false
      return {
        async append(...a) {
          if (busy) {
            const { id } = a[2][0] as { id: string }
            return { entries: [], head: id, repeated: false }
          }
          busy = true
          await new Promise((wake) => setImmediate(wake))
          return store.append(...a).finally(() => {
            busy = false
          })
        },
      }
    },
  },
  {
    name: 'lets a second result through',
    by: 'refuses a result whose call is not there, and one whose call has its result',
    wrong: ({ store }) => ({
      append: (...a) =>
        store.append(...a).catch((error) => {
          if (error.code !== 'already_answered') throw error
          const batch = a[2].map((entry) => ({ ...entry, body: { kind: 'note', label: '', data: 0 } as const }))
          return store.append(a[0], a[1], batch, a[3])
        }),
    }),
  },
  {
    name: 'takes a result for any call of the conversation',
    by: 'refuses a result for a call of another branch or conversation',
    wrong: ({ store }) => ({
      append: (...a) =>
        store.append(...a).catch(async (error) => {
          if (error.code !== 'unknown_call') throw error
          const rows = await store.feed(a[0], a[1], 0, 1_000)
          if (!JSON.stringify(rows).includes('"type":"call"')) throw error
          const batch = a[2].map((entry) => ({ ...entry, body: { kind: 'note', label: '', data: 0 } as const }))
          return store.append(a[0], a[1], batch, a[3])
        }),
    }),
  },
  {
    name: 'counts a fork as a copy',
    by: 'forks without a copy, and two branches share what is before the fork',
    wrong: ({ store }) => ({
      async setBranch(w, c, move) {
        const branch = await store.setBranch(w, c, move)
        if (move.head === null) return branch
        const path = await store.path(w, c, move.head)
        const copies = path.map(({ id, body, text, tokens, at }) => ({ id: `${id}*`, body, text, tokens, at }))
        await store.append(w, c, copies, { branch: move.name, from: null, at: move.at })
        return branch
      },
    }),
  },
  {
    name: 'moves a branch whatever is expected',
    by: 'makes, moves and empties a branch by compare and swap',
    wrong: ({ store }) => ({
      async setBranch(w, c, move) {
        const expect = (await store.branches(w, c)).find(({ name }) => name === move.name)?.head ?? null
        return store.setBranch(w, c, { ...move, expect })
      },
    }),
  },
  {
    name: 'removes the entries of a branch with it',
    by: 'removes a branch and none of its entries',
    wrong: (sound) => ({
      async removeBranch(w, c, name) {
        const head = (await sound.store.branches(w, c)).find((branch) => branch.name === name)?.head
        await sound.store.removeBranch(w, c, name)
        if (head) stored(sound, w, c)?.byId.delete(head)
      },
    }),
  },
  {
    name: 'counts a retry among the entries',
    by: 'counts entries and bytes, and knows when it was last written',
    wrong: (sound) => ({
      async append(...a) {
        const answer = await sound.store.append(...a)
        const room = stored(sound, a[0], a[1])
        if (answer.repeated && room)
          room.conversation = { ...room.conversation, entries: room.conversation.entries + answer.entries.length }
        return answer
      },
    }),
  },
  {
    name: 'runs its totals over the whole conversation instead of the path',
    by: 'gives every entry of a random tree its depth, totals, turns, opener, summary and hash',
    wrong: (sound) => ({
      async append(...a) {
        const answer = await sound.store.append(...a)
        const room = stored(sound, a[0], a[1])
        let total = 0
        for (const [i, entry] of room?.entries.entries() ?? []) {
          total += entry.tokens
          const changed = { ...entry, total }
          room?.entries.splice(i, 1, changed)
          room?.byId.set(entry.id, changed)
        }
        return { ...answer, entries: answer.entries.map(({ id }) => room?.byId.get(id) as Entry) }
      },
    }),
  },
  {
    name: 'keeps the first conversation and says nothing of the second',
    by: 'refuses a second conversation with an id, at once or later',
    wrong: ({ store }) => ({
      create: async (w, input) => (await store.get(w, input.id)) ?? store.create(w, input),
    }),
  },
  {
    name: 'forgets the fields that an update does not give',
    by: 'changes the fields that are given and no others',
    wrong: ({ store }) => ({
      update: (w, c, patch) => store.update(w, c, { title: '', folder: null, tags: [], ...patch }),
    }),
  },
  {
    name: 'does not say when it was last written',
    by: 'counts entries and bytes, and knows when it was last written',
    wrong: (sound) => ({
      async append(...a) {
        const before = stored(sound, a[0], a[1])?.conversation.updatedAt
        const answer = await sound.store.append(...a)
        const room = stored(sound, a[0], a[1])
        if (room && before) room.conversation = { ...room.conversation, updatedAt: before }
        return answer
      },
    }),
  },
  {
    name: 'counts characters for bytes',
    by: 'counts entries and bytes, and knows when it was last written',
    wrong: (sound) => ({
      async append(...a) {
        const answer = await sound.store.append(...a)
        const room = stored(sound, a[0], a[1])
        const bytes = room?.entries.reduce(
          (sum, entry) => sum + entry.text.length + JSON.stringify(entry.body).length,
          0,
        )
        if (room) room.conversation = { ...room.conversation, bytes: bytes ?? 0 }
        return answer
      },
    }),
  },
  {
    name: 'keeps a key of a request that was refused',
    by: 'keeps no record of a key whose request was refused',
    wrong: (sound) => ({
      append: (w, c, batch, options) =>
        sound.store.append(w, c, batch, options).catch((error) => {
          if (options.key !== undefined) stored(sound, w, c)?.keys.set(options.key, { request: '', entries: [] })
          throw error
        }),
    }),
  },
  {
    name: 'forgets a key when words are redacted',
    by: 'brings no words back with a retry, by id or by key',
    wrong: (sound) => ({
      async redact(w, c, id) {
        stored(sound, w, c)?.keys.clear()
        return sound.store.redact(w, c, id)
      },
    }),
  },
]
