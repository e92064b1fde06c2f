import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { builtinModels, type Host, type HostOptions, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0).reverse()) await host.stop()
})

const open = async (options: HostOptions = {}): Promise<Host> => {
  const host = await startService({ store: 'sqlite', models: modelsOf(saying('It is blue.')), ...options })
  hosts.push(host)
  return host
}

const at = '/api/v1/conversations/c'

/** A conversation with everything in it that must not be seen. */
async function furnished(host: Host): Promise<void> {
  await host.call('POST', '/api/v1/conversations', {
    body: { id: 'c', title: 'Colours', system: 'SECRET-PROMPT', meta: { secret: 'SECRET-META' } },
  })
  const messages = [
    { role: 'user', content: 'Which colour?', name: 'SECRET-AUTHOR', id: 'secret-id-1' },
    {
      role: 'assistant',
      parts: [
        { type: 'think', text: 'SECRET-THOUGHT' },
        { type: 'text', text: 'I look it up.' },
        {
          type: 'call',
          id: 'call_1',
          name: 'SECRET-TOOL',
          input: { q: 'SECRET-ARGUMENT' },
          outcome: { state: 'pending' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'SECRET-RESULT' },
    { role: 'system', content: 'SECRET-SYSTEM' },
    { role: 'assistant', content: 'It is blue.' },
  ]
  const written = await host.call('POST', `${at}/messages`, { body: { messages } })
  expect(written.status).toBe(201)
}

const share = async (host: Host, body: object = {}) => {
  const made = await host.call('POST', `${at}/shares`, { body })
  expect(made.status).toBe(201)
  return made.body as { id: string; token: string; url: string; expires_at: string; title: string }
}

const look = async (host: Host, token: string) => ({
  page: await host.call('GET', `/s/${token}`),
  data: await host.call('GET', `/api/v1/shares/${token}`),
})

/** Wrong, ended, taken back and deleted look the same. */
const isNothing = async (host: Host, token: string): Promise<void> => {
  const { page, data } = await look(host, token)
  expect([page.status, data.status, data.body.code]).toEqual([404, 404, 'not_found'])
  const wrong = await look(host, 'x'.repeat(43))
  expect(page.text).toBe(wrong.page.text)
  expect({ ...data.body, instance: '' }).toEqual({ ...wrong.data.body, instance: '' })
}

describe('a shared conversation', () => {
  test('says of an answer that no AI gave it', async () => {
    const host = await open({ models: builtinModels })
    const { body } = await host.call('POST', '/chat', { body: { message: 'The sky is blue.' } })
    const made = await host.call('POST', `/api/v1/conversations/${body.session_id}/shares`, { body: {} })
    const { page, data } = await look(host, made.body.token)
    expect(data.body.messages.map(({ ai }: { ai?: boolean }) => ai)).toEqual([undefined, false])
    expect(page.text).toContain('Assistant (no AI)')
  })

  test('shows what was said, and nothing but an allow-list of fields [S1-F5]', async () => {
    const host = await open()
    await furnished(host)
    const { token, url } = await share(host)
    const { page, data } = await look(host, token)
    expect(data.body).toEqual({
      title: 'Colours',
      mode: 'snapshot',
      expires_at: expect.any(String),
      messages: [
        { role: 'user', text: 'Which colour?', at: expect.any(String) },
        { role: 'assistant', text: 'I look it up.', at: expect.any(String) },
        { role: 'assistant', text: 'It is blue.', at: expect.any(String) },
      ],
      shortened: false,
    })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Which colour?')
    expect(url).toBe(`/s/${token}`)
    for (const { text } of [page, data]) {
      expect(text).not.toMatch(/SECRET|secret|call_1|run_|default/)
      expect(text).not.toContain('"id"')
    }
  })

  test('names its authors only when that was asked for', async () => {
    const host = await open()
    await furnished(host)
    const { token } = await share(host, { authors: true, title: 'Our colours' })
    const { data } = await look(host, token)
    expect(data.body.title).toBe('Our colours')
    expect(data.body.messages[0].author).toBe('SECRET-AUTHOR')
  })

  test('as a snapshot never shows later messages, other branches or a new title, and live is never stale [T-80]', async () => {
    const host = await open()
    await furnished(host)
    const snapshot = await share(host)
    const live = await share(host, { mode: 'live' })
    const before = (await look(host, snapshot.token)).data.text
    await host.call('POST', `${at}/messages`, { body: { message: 'LATER' } })
    await host.call('PATCH', at, { body: { title: 'RENAMED' } })
    await host.call('POST', `${at}/fork`, { body: { at: 'secret-id-1', branch: 'side' } })
    await host.call('POST', `${at}/messages`, { body: { message: 'SIDEWAYS', branch: 'side' } })
    await host.call('POST', `${at}/messages/secret-id-1/edit`, { body: { message: 'EDITED' } })
    const after = await look(host, snapshot.token)
    expect(after.data.text).toBe(before)
    expect(after.page.text).not.toMatch(/LATER|RENAMED|SIDEWAYS|EDITED/)
    const now = await look(host, live.token)
    expect(now.data.body.title).toBe('RENAMED')
    expect(now.data.text).toContain('LATER')
    expect(now.data.text).not.toMatch(/SIDEWAYS|EDITED/)
  })

  test('loses words that are removed from the conversation', async () => {
    const host = await open()
    await furnished(host)
    const { token } = await share(host)
    await host.call('DELETE', `${at}/messages/secret-id-1`)
    const { page, data } = await look(host, token)
    expect(page.text + data.text).not.toContain('Which colour?')
    expect(data.body.messages).toHaveLength(2)
  })

  test('is a page without scripts or cookies that is kept, passed on and found by no one', async () => {
    const host = await open()
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c', title: '<img src=x onerror=alert(1)>' } })
    const message = '<script>alert(1)</script> "\'&\n```html\n<b onclick="x()">\n```\n![x](https://evil.example/p.png)'
    await host.call('POST', `${at}/messages`, { body: { message } })
    const { token } = await share(host)
    const { page, data } = await look(host, token)
    for (const { headers } of [page, data]) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe|script-src|img-src|\*/)
    expect(page.text).not.toMatch(/<(script|img|b|iframe|link|form)\b/i)
    // a picture of someone else's is a link that nobody follows by themselves
    for (const [link] of page.text.matchAll(/<a\b[^>]*>/g))
      expect(link).toMatch(
        /^<a href="https:\/\/[^"]+" target="_blank" rel="noopener noreferrer nofollow" title="[^"]+">$/,
      )
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#x27;&amp;')
    expect(page.text).toMatch(/<pre tabindex="0"><code>.*onclick.*<\/code><\/pre>/)
    expect(page.text).not.toMatch(/<[a-z][^>]* on\w+=/)
  })
})

describe('a link', () => {
  test('dies at once, on every replica, when it is taken back [T-79]', async () => {
    const host = await open()
    const other = await open({ store: host.store })
    await furnished(host)
    const [kept, dead] = [await share(host), await share(host)]
    expect((await look(other, dead.token)).data.status).toBe(200)
    expect((await host.call('DELETE', `${at}/shares/${dead.id}`)).status).toBe(204)
    await isNothing(other, dead.token)
    expect((await look(other, kept.token)).data.status).toBe(200)
    expect((await host.call('DELETE', `${at}/shares/${dead.id}`)).status).toBe(404)
    expect((await host.call('GET', `${at}/shares`)).body.items.map(({ id }: { id: string }) => id)).toEqual([kept.id])
  })

  test('dies with its conversation [T-79]', async () => {
    const host = await open()
    await furnished(host)
    const { token } = await share(host)
    await host.call('DELETE', at)
    await isNothing(host, token)
  })

  test('ends by itself, after thirty days if nothing else was said', async () => {
    let now = Date.parse('2026-08-01T00:00:00Z')
    const host = await open({ env: { now: () => new Date(now).toISOString() } })
    await furnished(host)
    const [usual, short] = [await share(host), await share(host, { expires_in: 60 })]
    expect(usual.expires_at).toBe('2026-08-31T00:00:00.000Z')
    now += 59_000
    expect((await look(host, short.token)).data.status).toBe(200)
    now += 1_000
    await isNothing(host, short.token)
    now = Date.parse(usual.expires_at) - 1
    expect((await look(host, usual.token)).data.status).toBe(200)
    now += 1
    await isNothing(host, usual.token)
  })

  test('cannot be guessed, and is kept only as a hash', async () => {
    const host = await open()
    await furnished(host)
    const { id, token } = await share(host)
    expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16)
    const guesses = [
      id,
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      `${token}%20`,
      '..%2f..%2fc',
      ...Array.from({ length: 200 }, () => randomBytes(32).toString('base64url')),
    ]
    for (const guess of guesses.filter((one) => one !== token)) {
      expect([guess, (await host.call('GET', `/s/${guess}`)).status]).toEqual([guess, 404])
      expect([guess, (await host.call('GET', `/api/v1/shares/${guess}`)).status]).toEqual([guess, 404])
    }
    const kept = [
      await host.store.records('$system', { kind: 'share', limit: 100 }),
      await host.store.records('default', { kind: 'share', limit: 100 }),
    ]
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(host.log)).not.toContain(token)
  })

  test('belongs to the workspace that made it', async () => {
    const host = await open({ auth: { mode: 'keys' }, rate: null })
    const [blue, red] = [await host.key('blue', 'admin'), await host.key('red', 'admin')]
    for (const key of [blue, red]) {
      await host.call('POST', '/api/v1/conversations', { key, body: { id: 'c' } })
      await host.call('POST', `${at}/messages`, { key, body: { message: key === blue ? 'BLUE' : 'RED' } })
    }
    const { body } = await host.call('POST', `${at}/shares`, { key: blue, body: {} })
    expect((await host.call('GET', `${at}/shares`, { key: red })).body.items).toEqual([])
    expect((await host.call('DELETE', `${at}/shares/${body.id}`, { key: red })).status).toBe(404)
    const { data } = await look(host, body.token)
    expect(data.text).toContain('BLUE')
    expect(data.text).not.toContain('RED')
  })

  test('is made only of a branch that is there, by one who may write', async () => {
    const host = await open({ auth: { mode: 'keys' }, rate: null })
    const [writer, reader] = [await host.key('blue'), await host.key('blue', 'read')]
    await host.call('POST', '/api/v1/conversations', { key: writer, body: { id: 'c' } })
    const make = (key: string, body: object, path = at) => host.call('POST', `${path}/shares`, { key, body })
    expect((await make(reader, {})).status).toBe(403)
    expect((await make(writer, { branch: 'none' })).status).toBe(404)
    expect((await make(writer, {}, '/api/v1/conversations/none')).status).toBe(404)
    expect((await make(writer, { expires_in: 1 })).status).toBe(400)
    expect((await make(writer, { mode: 'edit' })).status).toBe(400)
  })
})
