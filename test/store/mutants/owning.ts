/** Stores that give away, keep or lose what is not theirs to. */
import type { Draft } from '../../../src/store/contract/draft.js'
import { type Mutant, stored } from './mutant.js'

export const owning: readonly Mutant[] = [
  {
    name: 'leaves receipts behind a delete',
    by: 'removes one conversation with all it owns, and says what was removed',
    wrong: (sound) => ({
      async remove(w, c) {
        const { items } = await sound.store.receipts(w, c, { limit: 100 }).catch(() => ({ items: [] }))
        const removal = await sound.store.remove(w, c)
        for (const receipt of items) sound.workspaces.get(w)?.receipts.set(receipt.id, receipt)
        return removal
      },
    }),
  },
  {
    name: 'deletes a blob that another conversation has',
    by: 'removes nothing of another conversation, nor what both have',
    wrong: (sound) => ({
      async remove(w, c) {
        const blobs = [...(stored(sound, w, c)?.blobs ?? [])]
        const removal = await sound.store.remove(w, c)
        for (const sha of blobs) sound.workspaces.get(w)?.blobs.delete(sha)
        return removal
      },
    }),
  },
  {
    name: 'leaves blobs behind a delete',
    by: 'removes one conversation with all it owns, and says what was removed',
    wrong: (sound) => ({
      async remove(w, c) {
        const home = sound.workspaces.get(w)
        const blobs = new Map(home?.blobs)
        const removal = await sound.store.remove(w, c)
        for (const [sha, blob] of blobs) home?.blobs.set(sha, blob)
        return removal
      },
    }),
  },
  {
    name: 'lets a late writer bring a conversation back',
    by: 'turns every late writer and reader away, and brings nothing back',
    wrong: (sound) => ({
      append: (w, c, batch, options) =>
        sound.store.append(w, c, batch, options).catch(async (error) => {
          if (error.code !== 'gone') throw error
          sound.workspaces.get(w)?.tombstones.delete(c)
          await sound.store.create(w, { id: c, at: options.at })
          return sound.store.append(w, c, batch, options)
        }),
    }),
  },
  {
    name: 'forgets what was deleted',
    by: 'turns every late writer and reader away, and brings nothing back',
    wrong: (sound) => ({
      async remove(w, c) {
        const removal = await sound.store.remove(w, c)
        sound.workspaces.get(w)?.tombstones.delete(c)
        return removal
      },
    }),
  },
  {
    name: 'says that nothing was removed',
    by: 'removes one conversation with all it owns, and says what was removed',
    wrong: ({ store }) => ({ remove: async (...a) => ({ ...(await store.remove(...a)), removed: {} }) }),
  },
  {
    name: 'reads receipts of any workspace',
    by: "answers another workspace's getReceipt as if the thing were not there",
    wrong: (sound) => ({
      async getReceipt(_, id) {
        for (const { receipts } of sound.workspaces.values()) if (receipts.has(id)) return receipts.get(id) ?? null
        return null
      },
    }),
  },
  {
    name: 'reads blobs of any workspace',
    by: "answers another workspace's getBlob as if the thing were not there",
    wrong: (sound) => ({
      async getBlob(_, sha) {
        for (const { blobs } of sound.workspaces.values()) if (blobs.has(sha)) return blobs.get(sha) ?? null
        return null
      },
    }),
  },
  {
    name: 'tells another workspace that a conversation exists',
    by: "answers another workspace's feed as if the thing were not there",
    wrong: (sound) => ({
      feed: (w, c, after, limit) =>
        sound.store.feed(w, c, after, limit).catch((error) => {
          const elsewhere = [...sound.workspaces.values()].some(({ rooms }) => rooms.has(c))
          if (elsewhere) error.message = 'you may not read this'
          throw error
        }),
    }),
  },
  {
    name: 'deletes for any workspace',
    by: "answers another workspace's remove as if the thing were not there",
    wrong: (sound) => ({
      async remove(w, c) {
        const owner = [...sound.workspaces].find(([, { rooms }]) => rooms.has(c))?.[0] ?? w
        return sound.store.remove(owner, c)
      },
    }),
  },
  {
    name: 'finds every conversation sound',
    by: 'finds the entry whose words were changed behind its back',
    wrong: ({ store }) => ({ verify: async (...a) => ({ ok: true, entries: (await store.verify(...a)).entries }) }),
  },
  {
    name: 'leaves the words of a redacted entry in its receipts',
    by: 'removes the words of an entry from every read, and the chain still holds',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const home = sound.workspaces.get(w)
        const receipts = new Map(home?.receipts)
        const removal = await sound.store.redact(w, c, id)
        for (const [name, receipt] of receipts) home?.receipts.set(name, receipt)
        return removal
      },
    }),
  },
  {
    name: 'removes a redacted entry from the log',
    by: 'goes on after a redacted head',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const removal = await sound.store.redact(w, c, id)
        const room = stored(sound, w, c)
        room?.entries.splice(
          room.entries.findIndex((entry) => entry.id === id),
          1,
        )
        return removal
      },
    }),
  },
  {
    name: 'gives an abandoned draft to everyone who asks',
    by: 'gives an abandoned draft to one of many callers, and a live one to none',
    wrong: ({ store }) => {
      const claimed: Draft[] = []
      return {
        async claimDrafts(w, lease) {
          claimed.push(...(await store.claimDrafts(w, lease)))
          return claimed
        },
      }
    },
  },
  {
    name: 'claims a draft that is alive',
    by: 'gives an abandoned draft to one of many callers, and a live one to none',
    wrong: (sound) => ({
      async claimDrafts(w, lease) {
        for (const room of sound.workspaces.get(w)?.rooms.values() ?? [])
          for (const draft of room.drafts.values()) draft.until = 0
        return sound.store.claimDrafts(w, lease)
      },
    }),
  },
  {
    name: 'lets a fenced owner write',
    by: 'recovers a draft once: the first owner is fenced, and one entry comes of it',
    wrong: (sound) => ({
      async saveDraft(w, c, save) {
        const epoch = stored(sound, w, c)?.drafts.get(save.id)?.epoch ?? save.epoch
        return sound.store.saveDraft(w, c, { ...save, epoch })
      },
    }),
  },
  {
    name: 'lets a fenced owner finish',
    by: 'recovers a draft once: the first owner is fenced, and one entry comes of it',
    wrong: (sound) => ({
      async promoteDraft(w, c, promotion) {
        const epoch = stored(sound, w, c)?.drafts.get(promotion.id)?.epoch ?? promotion.epoch
        return sound.store.promoteDraft(w, c, { ...promotion, epoch })
      },
    }),
  },
  {
    name: 'keeps a draft after it became an entry',
    by: 'makes a draft one entry, once',
    wrong: (sound) => ({
      async promoteDraft(w, c, promotion) {
        const draft = stored(sound, w, c)?.drafts.get(promotion.id)
        const answer = await sound.store.promoteDraft(w, c, promotion)
        if (draft) stored(sound, w, c)?.drafts.set(promotion.id, draft)
        return answer
      },
    }),
  },
  {
    name: 'puts a draft where it was begun and drops what was appended meanwhile',
    by: 'puts a draft behind what was appended to its branch meanwhile, and leaves nothing behind',
    wrong: (sound) => ({
      async promoteDraft(w, c, promotion) {
        const draft = stored(sound, w, c)?.drafts.get(promotion.id)
        if (!draft) return sound.store.promoteDraft(w, c, promotion)
        const { branch, parent } = draft
        const answer = await sound.store.append(w, c, promotion.entries, { branch, from: parent, at: promotion.at })
        stored(sound, w, c)?.drafts.delete(promotion.id)
        return answer
      },
    }),
  },
  {
    name: 'puts a draft on its branch wherever that has gone',
    by: 'puts a draft whose branch went elsewhere on a branch of its own',
    wrong: (sound) => ({
      async promoteDraft(w, c, promotion) {
        const draft = stored(sound, w, c)?.drafts.get(promotion.id)
        if (!draft) return sound.store.promoteDraft(w, c, promotion)
        const answer = await sound.store.append(w, c, promotion.entries, { branch: draft.branch, at: promotion.at })
        stored(sound, w, c)?.drafts.delete(promotion.id)
        return answer
      },
    }),
  },
  {
    name: 'leaves the whole text of a redacted result on the shelf',
    by: 'removes the blobs that only a redacted entry names',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const blobs = new Map(sound.workspaces.get(w)?.blobs)
        const removal = await sound.store.redact(w, c, id)
        for (const [sha, blob] of blobs) sound.workspaces.get(w)?.blobs.set(sha, blob)
        return removal
      },
    }),
  },
  {
    name: 'takes a blob that another entry needs',
    by: 'removes the blobs that only a redacted entry names',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const sha = stored(sound, w, c)?.byId.get(id)?.meta?.blob
        const removal = await sound.store.redact(w, c, id)
        if (typeof sha === 'string') sound.workspaces.get(w)?.blobs.delete(sha)
        return removal
      },
    }),
  },
  {
    name: 'overwrites a receipt',
    by: 'gives a receipt back as it was, and refuses another with its id',
    wrong: (sound) => ({
      async putReceipt(w, receipt) {
        sound.workspaces.get(w)?.receipts.delete(receipt.id)
        await sound.store.putReceipt(w, receipt)
      },
    }),
  },
  {
    name: 'makes a draft an entry each time it is asked',
    by: 'makes a draft one entry when it is asked for ten times at once',
    wrong: ({ store }) => ({
      async promoteDraft(w, c, { id, epoch, entries, at }) {
        const known = (await store.drafts(w, c)).find((draft) => draft.id === id)
        if (!known || known.epoch !== epoch) return store.promoteDraft(w, c, { id, epoch, entries, at })
        const fresh = entries.map((entry) => ({ ...entry, id: crypto.randomUUID() }))
        return store.append(w, c, fresh, { branch: known.branch, from: known.parent, at })
      },
    }),
  },
  {
    name: 'keeps the last media type that was said of a blob',
    by: 'stores the same bytes once and keeps what was said of them first',
    wrong: ({ store }) => ({
      putBlob: async (w, c, blob) => ({ ...(await store.putBlob(w, c, blob)), mediaType: blob.mediaType }),
    }),
  },
  {
    name: 'leaves the meta of a redacted entry',
    by: 'removes the words of an entry from every read, and the chain still holds',
    wrong: (sound) => ({
      async redact(w, c, id) {
        const meta = stored(sound, w, c)?.byId.get(id)?.meta
        const removal = await sound.store.redact(w, c, id)
        const entry = stored(sound, w, c)?.byId.get(id)
        if (entry && meta) stored(sound, w, c)?.byId.set(id, { ...entry, meta })
        return removal
      },
    }),
  },
  {
    name: 'takes a blob for a conversation that is gone',
    by: 'turns every late writer and reader away, and brings nothing back',
    wrong: ({ store }) => ({
      putBlob: (w, c, blob) =>
        store.putBlob(w, c, blob).catch(() => ({ sha256: '', mediaType: blob.mediaType, size: blob.bytes.length })),
    }),
  },
]
