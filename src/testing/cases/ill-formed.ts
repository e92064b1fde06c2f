/** Text that some database cannot hold is refused by all of them, and found by none. */
import assert from 'node:assert/strict'
import { add, all, ask, at, begin, type Case, message, note, refused } from './stage.js'

const ill: Readonly<Record<string, string>> = {
  'a NUL': 'a\0b',
  'half a character': 'a\ud83d',
  'the other half': '\ude00b',
  'halves in the wrong order': '\ude00\ud83d',
}

export const illFormed: readonly Case[] = [
  ...Object.entries(ill).map(
    ([what, words]): Case => ({
      name: `refuses ${what} wherever it is written`,
      run: async (stage) => {
        const { store, workspace } = stage
        const c = await begin(stage)
        const bad = [
          ask(words),
          ask('a', { text: words }),
          ask('a', { body: message('user', words) }),
          ask('a', { id: words }),
          ask('a', { at: words }),
          ask('a', { author: words }),
          ask('a', { model: words }),
          ask('a', { meta: { deep: [{ a: words }] } }),
          note({ [words]: 1 }),
        ]
        for (const entry of bad) await refused(add(stage, c, [ask('fine'), entry]), 'invalid')
        await refused(add(stage, c, [ask('a')], { branch: words }), 'invalid')
        await refused(add(stage, c, [ask('a')], { key: words }), 'invalid')
        await refused(add(stage, c, [ask('a')], { at: words }), 'invalid')
        await refused(store.create(words, { id: 'x', at }), 'invalid')
        for (const more of [{ id: words }, { title: words }, { folder: words }, { tags: [words] }, { meta: { words } }])
          await refused(store.create(workspace, { id: 'x', at, ...more }), 'invalid')
        await refused(store.create(workspace, { id: 'x', at: words }), 'invalid')
        for (const patch of [
          { title: words },
          { folder: words },
          { tags: [words] },
          { meta: { words } },
          { at: words },
        ])
          await refused(store.update(workspace, c, { at, ...patch }), 'invalid')
        const move = { name: 'side', head: null, expect: null, at }
        for (const more of [{ name: words }, { at: words }])
          await refused(store.setBranch(workspace, c, { ...move, ...more }), 'invalid')
        const fresh = { id: 'd', branch: 'main', parent: null, leaseSeconds: 9, at }
        for (const more of [{ id: words }, { branch: words }, { at: words }])
          await refused(store.openDraft(workspace, c, { ...fresh, ...more }), 'invalid')
        await store.openDraft(workspace, c, fresh)
        for (const more of [{ text: words }, { body: [words] }])
          await refused(
            store.saveDraft(workspace, c, { id: 'd', epoch: 1, text: '', body: null, leaseSeconds: 9, ...more }),
            'invalid',
          )
        await refused(store.putBlob(workspace, c, { bytes: new Uint8Array(1), mediaType: words }), 'invalid')
        const receipt = { id: 'r', conversation: c, entry: null, at, body: {} }
        for (const more of [{ id: words }, { at: words }, { body: { words } }, { entry: words }])
          await refused(store.putReceipt(workspace, { ...receipt, ...more }), 'invalid')
        assert.deepEqual(await all(stage, c), [])
        assert.equal((await store.list(workspace, { limit: 9 })).items.length, 1)
      },
    }),
  ),
  ...Object.entries(ill).map(
    ([what, words]): Case => ({
      name: `finds nothing under a name with ${what}`,
      run: async (stage) => {
        const { store, workspace } = stage
        const c = await begin(stage)
        await add(stage, c, [ask('a', { id: 'a\ufffd' })])
        assert.equal(await store.get(workspace, words), null)
        assert.equal(await store.entry(workspace, words, 'a'), null)
        assert.equal(await store.entry(workspace, c, words), null)
        assert.equal(await store.getBlob(workspace, words), null)
        assert.equal(await store.getReceipt(workspace, words), null)
        assert.deepEqual(await store.children(workspace, c, words), [])
        assert.deepEqual((await store.window(workspace, c, words, {})).entries, [])
        assert.deepEqual((await store.list(workspace, { limit: 9, folder: words })).items, [])
        assert.deepEqual((await store.list(workspace, { limit: 9, tag: words })).items, [])
        await refused(store.path(workspace, c, words), 'not_found')
        await refused(store.feed(workspace, words, 0, 9), 'not_found')
        await refused(store.removeBranch(workspace, c, words), 'not_found')
        await refused(store.redact(workspace, c, words), 'not_found')
        await refused(store.remove(workspace, words), 'not_found')
        await refused(add(stage, words, [ask('b')]), 'not_found')
        await refused(add(stage, c, [ask('b')], { from: words }), 'unknown_parent')
        await refused(add(stage, c, [ask('b')], { expect: words }), 'head_moved')
      },
    }),
  ),
]
