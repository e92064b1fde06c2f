/** Files of other products, uploaded. */
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatgptConversation, zipOf } from '../../src/transfer/import.fixture.js'
import { type Host, startService } from './host.js'

const tea = chatgptConversation('c', [
  { id: 'u', parent: 'root', text: 'Which tea?' },
  { id: 'a', parent: 'u', role: 'assistant', text: 'Oolong.' },
])

describe('an upload', () => {
  let host: Host
  let admin: string
  beforeAll(async () => {
    host = await startService({ auth: { mode: 'keys' }, store: 'sqlite' })
    admin = await host.key('team', 'admin')
  })
  afterAll(() => host.stop())

  const send = async (body: string | Uint8Array, query = '', key = admin) => {
    const response = await fetch(`${host.url}/api/v1/import${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
      body: new Blob([body as string]),
    })
    const text = await response.text()
    return {
      status: response.status,
      lines: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  }

  test('of a zip is tried, imported, known again, and gone from the disk', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('throughline-import-'))
    const zip = zipOf({ 'conversations.json': JSON.stringify([tea]) })
    const dry = await send(zip, '?dry_run=true&name=export.zip')
    expect(dry.lines.at(-1)).toMatchObject({ dry_run: true, messages: { found: 2, added: 2 } })
    const first = await send(zip)
    expect(first.lines).toMatchObject([{ id: 'chatgpt-c', status: 'added' }, { conversations: { added: 1 } }])
    expect((await send(zip)).lines.at(-1)).toMatchObject({ conversations: { unchanged: 1 }, messages: { added: 0 } })
    const { body } = await host.call('GET', '/api/v1/conversations/chatgpt-c/messages', { key: admin })
    expect(body.items.map(({ text }: { text: string }) => text)).toEqual(['Which tea?', 'Oolong.'])
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('throughline-import-'))
    expect(after).toEqual(before)
  })

  test('of something else says so', async () => {
    const { lines } = await send('{"just":"data"}', '?name=data.json')
    expect(lines).toMatchObject([
      { conversations: { found: 0 }, skipped: [{ reason: 'a file of no known format', examples: ['data.json'] }] },
    ])
  })

  test('needs the operator’s key: a file speaks in every role', async () => {
    const write = await host.key('team', 'write')
    expect((await send(JSON.stringify([tea]), '', write)).status).toBe(403)
  })
})
