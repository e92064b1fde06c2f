import { afterEach, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { type Host, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function talk() {
  const model = saying('Noted, and kept in mind for later.')
  const host = await startService({ models: modelsOf(model) })
  hosts.push(host)
  const client = openClient({ url: host.url, retries: 0 })
  const { id } = await client.conversations.create()
  const messages = Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${i}: see /srv/app/${i}.ts. ${'words '.repeat(30)}`,
  }))
  await client.messages.append(id, { messages })
  const { run } = await client.runs.start(id, { message: 'So?', budget: 900 })
  for await (const event of client.runs.follow(id, run.id)) if (event.type === 'run-ended') break
  const { receipt_id } = await client.runs.get(id, run.id)
  return { host, client, model, id, kept: await client.receipts.get(receipt_id as string) }
}

test('with nothing changed, the window is the one that was sent', async () => {
  const { client, kept } = await talk()
  const { receipt } = await client.receipts.whatIf(kept.id, {})
  expect(receipt).toEqual(kept.receipt)
})

test('a larger budget keeps more, an earlier answer is judged by its own past, and no model is asked', async () => {
  const { client, model, id, kept } = await talk()
  const asked = model.asked.length
  expect(kept.receipt.totals.dropped).toBeGreaterThan(0)
  await client.messages.append(id, { message: 'What came later is no part of it' })
  const wide = await client.receipts.whatIf(kept.id, { budget: 20_000 })
  expect(wide.receipt.totals).toMatchObject({ messages: 40, dropped: 0 })
  const own = await client.receipts.whatIf(kept.id, { budget: null })
  expect(own.receipt.totals.dropped).toBe(0)
  expect(model.asked.length).toBe(asked)
  expect((await client.receipts.list(id)).items).toHaveLength(1)
})

test('another policy goes without the changes of the old one, and risks are told when asked for', async () => {
  const { client, kept } = await talk()
  const other = await client.receipts.whatIf(kept.id, { policy: 'session-window', risks: true })
  expect(other.receipt.policy.name).toBe('session-window')
  expect(other.receipt.risks?.map(({ text }) => text)).toContain('/srv/app/23.ts')
})

test.each([
  [{ policy: 'nonsense' }, 422, 'policy_invalid'],
  [{ model: 'no/such' }, 422, 'unknown_model'],
  [{ bogus: 1 }, 400, 'invalid_request'],
])('what cannot be is refused: %o', async (body, status, code) => {
  const { host, kept } = await talk()
  const answer = await host.call('POST', `/api/v1/receipts/${kept.id}/what-if`, { body })
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('the outline tells a long path in pages of lines', async () => {
  const { client, id } = await talk()
  const newest = await client.messages.outline(id, { limit: 30 })
  const rest = await client.messages.outline(id, { limit: 30, before: newest.next_cursor as string })
  const all = [...rest.items, ...newest.items]
  expect(all.map(({ depth }) => depth)).toEqual(Array.from({ length: 42 }, (_, i) => i))
  expect(rest.next_cursor).toBeNull()
  expect(all[3]).toMatchObject({ kind: 'message', role: 'assistant', pinned: false, excluded: false })
  expect(all[3]?.preview).toHaveLength(160)
})
