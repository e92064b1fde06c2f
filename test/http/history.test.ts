import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { targets } from '../../src/core/message/target.js'
import { digest } from '../../src/store/shared/runtime.js'
import { type Host, type StoreName, startService } from './host.js'

describe.each<StoreName>(['memory', 'sqlite'])('the routes over the %s store', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startService({ store })
  })
  afterAll(() => host.stop())

  const post = (path: string, body: unknown, headers = {}) => host.call('POST', path, { body, headers })
  const get = (path: string, headers = {}) => host.call('GET', path, { headers })

  const fresh = async (...words: readonly string[]) => {
    const made = await post('/api/v1/conversations', { title: 'A talk' })
    const path = `/api/v1/conversations/${made.body.id}`
    const ids: string[] = []
    for (const [i, content] of words.entries()) {
      const message = { role: i % 2 === 0 ? 'user' : 'assistant', content }
      const added = await post(`${path}/messages`, { message })
      ids.push(added.body.messages[0].id)
    }
    return { path, ids, id: made.body.id as string }
  }

  test('a conversation is made, read with its ETag, changed if it is what was seen, and removed', async () => {
    const made = await post('/api/v1/conversations', {
      title: 'Lisbon',
      system: 'Be brief.',
      meta: { a: 1 },
      tags: ['x'],
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ title: 'Lisbon', system: 'Be brief.', policy: null, meta: { a: 1 }, entries: 0 })
    const path = made.headers.get('location') as string
    const read = await get(path)
    const etag = read.headers.get('etag') as string
    expect({ ...read.body, repeated: false }).toEqual(made.body)
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    const change = { title: 'Porto', pinned: true, policy: 'session-window', system: null }
    const changed = await host.call('PATCH', path, { body: change, headers: { 'if-match': etag } })
    expect(changed.body).toMatchObject({
      title: 'Porto',
      pinned: true,
      policy: 'session-window',
      system: null,
      meta: { a: 1 },
    })
    const late = await host.call('PATCH', path, { body: { title: 'Faro' }, headers: { 'if-match': etag } })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    const removed = await host.call('DELETE', path)
    expect(removed).toMatchObject({ status: 200, body: { conversation_id: made.body.id, message_id: null } })
    expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('an idempotency key makes one conversation, and belongs to one request', async () => {
    const key = { 'idempotency-key': `k-${store}` }
    const one = await post('/api/v1/conversations', { title: 'once' }, key)
    const again = await post('/api/v1/conversations', { title: 'once' }, key)
    expect([one.status, again.status]).toEqual([201, 200])
    expect(again.body.id).toBe(one.body.id)
    expect(await post('/api/v1/conversations', { title: 'other' }, key)).toMatchObject({
      status: 422,
      body: { code: 'key_reused' },
    })
  })

  test('the list pages by cursor and filters by folder, tag and title', async () => {
    for (const n of [1, 2, 3])
      await post('/api/v1/conversations', { title: `Paged ${n}`, folder: 'paged', tags: [`t${n}`] })
    const first = await get('/api/v1/conversations?folder=paged&limit=2')
    expect(first.body.items).toHaveLength(2)
    const second = await get(
      `/api/v1/conversations?folder=paged&limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`,
    )
    expect(second.body).toMatchObject({ items: [{ title: 'Paged 1' }], next_cursor: null })
    expect((await get('/api/v1/conversations?tag=t2')).body.items).toMatchObject([{ title: 'Paged 2' }])
    expect((await get('/api/v1/conversations?q=paged%203')).body.items).toMatchObject([{ title: 'Paged 3' }])
  })

  test('messages are appended where the branch was seen, once per key, and paged back from the head', async () => {
    const { path, ids } = await fresh('one', 'two', 'three')
    const stale = await post(`${path}/messages`, { message: 'four', expect: ids[0] })
    expect(stale).toMatchObject({ status: 409, body: { code: 'head_moved', head: ids[2] } })
    const key = { 'idempotency-key': 'append-1' }
    const four = await post(`${path}/messages`, { message: 'four', expect: ids[2] }, key)
    const again = await post(`${path}/messages`, { message: 'four', expect: ids[2] }, key)
    expect([four.status, again.status, again.body.repeated]).toEqual([201, 200, true])
    const page = await get(`${path}/messages?limit=3`)
    expect(page.body.items.map(({ text }: { text: string }) => text)).toEqual(['two', 'three', 'four'])
    const older = await get(`${path}/messages?limit=3&before=${page.body.next_cursor}`)
    expect(older.body).toMatchObject({ items: [{ text: 'one', kind: 'message', role: 'user' }], next_cursor: null })
  })

  test('a message is marked, rated, and its words are removed with what was said of it', async () => {
    const { path, ids } = await fresh('question', 'answer-to-remove')
    const answer = `${path}/messages/${ids[1]}`
    expect((await host.call('PATCH', answer, { body: { pinned: true } })).body).toMatchObject({
      pinned: true,
      excluded: false,
    })
    const rated = await host.call('PUT', `${answer}/rating`, { body: { value: 1, note: 'good' } })
    expect(rated.body).toMatchObject({ value: 1, note: 'good' })
    expect((await get(`${path}/messages`)).body.items[1]).toMatchObject({ pinned: true, rating: { value: 1 } })
    const own = await host.call('PUT', `${path}/messages/${ids[0]}/rating`, { body: { value: 1 } })
    expect(own).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect((await host.call('DELETE', answer)).body).toMatchObject({ message_id: ids[1] })
    const left = await get(answer)
    expect(left.body).toMatchObject({ redacted: true, rating: null, pinned: false })
    expect(left.text).not.toContain('answer-to-remove')
    expect((await get(`${path}/verify`)).body).toEqual({ ok: true, entries: 2, faults: [] })
  })

  test('a branch gets another name; main keeps its own, and no name is taken twice', async () => {
    const { path, ids } = await fresh('one', 'two')
    await post(`${path}/fork`, { at: ids[0], branch: 'side' })
    await post(`${path}/fork`, { at: ids[1], branch: 'taken' })
    const rename = (branch: string, name: string) =>
      host.call('PATCH', `${path}/branches/${branch}`, { body: { name } })
    const renamed = await rename('side', 'another way')
    expect([renamed.status, renamed.body]).toMatchObject([200, { name: 'another way', head_id: ids[0] }])
    expect((await rename('side', 'again')).status).toBe(404)
    expect((await rename('main', 'first')).status).toBe(422)
    expect((await rename('taken', 'taken')).status).toBe(422)
    expect((await rename('another%20way', 'taken')).body.code).toBe('head_moved')
    const names = (await get(`${path}/branches`)).body.items.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['another way', 'main', 'taken'])
  })

  test('fork, edit and regenerate make branches and leave everything where it is', async () => {
    const { path, ids } = await fresh('one', 'two')
    const edited = await post(`${path}/messages/${ids[0]}/edit`, { message: 'uno', branch: 'spanish' })
    expect(edited).toMatchObject({ status: 201, body: { branch: 'spanish', run: null, messages: [{ text: 'uno' }] } })
    const again = await post(`${path}/messages/${ids[1]}/regenerate`, { branch: 'again' })
    expect(again.body).toMatchObject({ name: 'again', head_id: ids[0], run: null })
    const forked = await post(`${path}/fork`, { at: ids[1], branch: 'side' })
    expect(forked.body).toMatchObject({ name: 'side', head_id: ids[1] })
    const moved = await host.call('PUT', `${path}/branches/side`, { body: { head_id: ids[0], expect: ids[1] } })
    expect(moved.body).toMatchObject({ head_id: ids[0] })
    const late = await host.call('PUT', `${path}/branches/side`, { body: { head_id: ids[0], expect: ids[1] } })
    expect(late).toMatchObject({ status: 409, body: { code: 'head_moved', head: ids[0] } })
    expect((await host.call('DELETE', `${path}/branches/side`)).status).toBe(204)
    const names = (await get(`${path}/branches`)).body.items.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['again', 'main', 'spanish'])
    expect((await get(`${path}/messages`)).body.items).toHaveLength(2)
    const tree = await get(`${path}/tree`)
    expect(tree.body.nodes).toMatchObject([
      { id: ids[0], parent_id: null, child_count: 1, sibling_ix: 0, preview: 'one', role: 'user' },
      { id: ids[1], parent_id: ids[0], child_count: 0 },
      { parent_id: null, sibling_ix: 1, preview: 'uno' },
    ])
    const near = await get(`${path}/tree?around=${ids[1]}&depth=1`)
    expect(near.body.nodes.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  test('a regenerated answer is made at once when a run is asked for', async () => {
    const { path, ids } = await fresh(
      'The airport is line three.',
      'Noted.',
      'Which line goes to the airport?',
      'Four.',
    )
    const again = await post(`${path}/messages/${ids[3]}/regenerate`, { run: { model: 'builtin/extractive' } })
    expect(again).toMatchObject({ status: 201, body: { run: { model: 'builtin/extractive' } } })
    await expect
      .poll(async () => (await get(`${path}/messages?branch=${again.body.name}`)).body.items.at(-1).text)
      .toContain('line three')
  })

  test('a window can be seen without a run, for a conversation or for messages', async () => {
    const { id } = await fresh('one', 'two', 'three')
    const made = await post('/api/v1/context/assemble', { conversation_id: id, budget: 1_000, target: 'anthropic' })
    expect(made.body).toMatchObject({ receipt: { totals: { messages: 2, kept: 2 }, target: 'anthropic' } })
    expect(made.body.request.messages).toHaveLength(3)
    expect(made.body.explanation).toContain('kept')
    const inline = await post('/api/v1/context/assemble', {
      messages: [{ role: 'user', content: 'hi' }],
      policy: 'balanced',
    })
    expect(inline.body.items).toMatchObject([{ text: 'hi', fate: 'kept' }])
    const bad = await post('/api/v1/context/assemble', { messages: [], overrides: { fit: { floor: 'many' } } })
    expect(bad).toMatchObject({ status: 422, body: { code: 'policy_invalid', errors: [{ path: 'fit.floor' }] } })
  })

  test.each(targets)('a window for %s is written as its JSON, whatever signs are in it', async (target) => {
    const { id } = await fresh('où? “здесь” 🙂', 'plain words', 'and now?')
    const body = { conversation_id: id, target, current: 'so — what?' }
    const { text } = await post('/api/v1/context/assemble', body)
    const told = JSON.parse(text)
    expect(JSON.stringify(told)).toBe(text)
    expect(Object.keys(told)).toEqual(['request', 'items', 'receipt', 'explanation', 'warnings', 'head_id'])
    const { request } = told
    const wire = typeof request === 'string' ? request : JSON.stringify(request)
    expect(told.receipt.wire).toEqual({ hash: digest(wire), length: wire.length })
  })

  test('receipts are listed, read in words, compared and made again', async () => {
    const { path, id, ids } = await fresh('The fare is nine.', 'Good.', 'What is the fare?', 'Ten.')
    const again = await post(`${path}/messages/${ids[3]}/regenerate`, { run: {} })
    const kept = () => get(`${path}/receipts`)
    await expect.poll(async () => (await kept()).body.items.length).toBeGreaterThan(0)
    const [receipt] = (await kept()).body.items
    expect(receipt).toMatchObject({ conversation_id: id, run_id: again.body.run.id })
    const one = await get(`/api/v1/receipts/${receipt.id}`)
    expect(one.body.explanation).toContain('balanced')
    expect((await get(`/api/v1/receipts/${receipt.id}/diff/${receipt.id}`)).body).toEqual({
      same: true,
      facts: [],
      messages: [],
    })
    const replayed = await host.call('POST', `/api/v1/receipts/${receipt.id}/replay`)
    expect(replayed.body).toMatchObject({ same: true })
    // what it said may be in it
    await host.call('DELETE', `${path}/messages/${ids[0]}`)
    expect((await get(`/api/v1/receipts/${receipt.id}`)).status).toBe(404)
  })

  test('search finds words and says where they stand [S1-F4]', async () => {
    const { id, ids } = await fresh(`the zebra of ${store} sleeps`)
    const found = await get(`/api/v1/search?q=zebra%20${store}`)
    expect(found.body.items).toMatchObject([{ conversation_id: id, message_id: ids[0], role: 'user' }])
    expect(found.body.items[0].snippet).toContain('zebra')
  })

  test('an export is all of it as JSON, or a branch as Markdown', async () => {
    const { path, id } = await fresh('one', 'two')
    const json = await get(`${path}/export`)
    expect(json.body).toMatchObject({
      schema: 'throughline.conversation/1',
      conversation: { id },
      entries: [{ text: 'one' }, { text: 'two' }],
    })
    expect(json.headers.get('content-disposition')).toBe(`attachment; filename="${id}.json"`)
    expect((await get(`${path}/export?format=markdown`)).text).toBe(
      '# A talk\n\n## User\n\none\n\n## Assistant\n\ntwo\n',
    )
  })

  test('a long tool result can be read whole', async () => {
    const { path } = await fresh('look')
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }
    await post(`${path}/messages`, { message: { role: 'assistant', content: null, tool_calls: [call] } })
    const content = 'word '.repeat(12_000)
    const added = await post(`${path}/messages`, { message: { role: 'tool', tool_call_id: 'c1', content } })
    const [result] = added.body.messages
    expect(result.text.length).toBeLessThan(content.length)
    expect((await get(`${path}/messages/${result.id}/text`)).body.text).toBe(content)
  })

  test('policies and models are listed', async () => {
    expect((await get('/api/v1/policies')).body.items.map(({ name }: { name: string }) => name)).toContain(
      'session-window',
    )
    expect((await get('/api/v1/policies/balanced')).body.policy.fit).toBeDefined()
    expect((await get('/api/v1/models')).body).toMatchObject({ usual: 'builtin/extractive' })
  })
})
