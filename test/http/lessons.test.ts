/** What broke elsewhere and must not break here, seen from outside. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { sweep } from '../../src/cli/serve/sweep.js'
import { type Config, schema } from '../../src/config/schema.js'
import type { Telemetry } from '../../src/http/telemetry/telemetry.js'
import { ModelError } from '../../src/models/wire/contract.js'
import { openRuns } from '../../src/runs/runs.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { builtinModels, type Host, type HostOptions, startService } from './host.js'
import { modelsOf, saying, scripted } from './live-models.js'

const hosts: Host[] = []
const start = async (options: HostOptions = {}): Promise<Host> => {
  const host = await startService(options)
  hosts.push(host)
  return host
}
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

const path = '/api/v1/conversations'

describe('the service', () => {
  test('answers the same id twice with a conflict or the same thing, in every handler [T-26]', async () => {
    const host = await start({ store: 'sqlite' })
    const twice = async (method: string, at: string, body: object, headers = {}) => {
      const first = await host.call(method, at, { body, headers })
      const second = await host.call(method, at, { body, headers })
      expect(first.status).toBeLessThan(300)
      return second.status
    }
    expect(await twice('POST', path, { id: 'c' })).toBe(409)
    const message = { id: 'm1', role: 'user', content: 'hello' }
    expect(await twice('POST', `${path}/c/messages`, { message })).toBeLessThan(300)
    expect(
      (await host.call('POST', `${path}/c/messages`, { body: { message: { ...message, content: 'x' } } })).status,
    ).toBe(409)
    expect(await twice('POST', `${path}/c/fork`, { at: 'm1', branch: 'side' })).toBe(409)
    expect(await twice('POST', `${path}/c/runs`, { message: 'hi' }, { 'idempotency-key': 'k' })).toBeLessThan(300)
    const { body } = await host.call('GET', `${path}/c/messages`)
    expect(body.items.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(2)
  })

  test('fetches nothing that content names [T-81]', async () => {
    let visits = 0
    const canary = createServer((socket) => {
      visits++
      socket.destroy()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x.png`
    try {
      const host = await start({ store: 'sqlite' })
      const markdown = `![a](${url}) [b](${url}) <img src="${url}"> ${url}`
      await host.call('POST', path, {
        body: { id: 'c', title: markdown, system: markdown, meta: { url }, tags: [url] },
      })
      const parts = [
        { type: 'text', text: markdown },
        { type: 'file', mediaType: 'image/png', source: { kind: 'url', url } },
      ]
      const said = await host.call('POST', `${path}/c/messages`, { body: { message: { role: 'user', parts } } })
      expect(said.status).toBe(201)
      await host.call('POST', '/chat', { body: { session_id: 'c', message: markdown, system: markdown } })
      await host.call('POST', '/api/query', {
        body: { prompt: markdown, conversationHistory: [{ role: 'user', content: markdown }] },
      })
      await host.call('POST', '/api/v1/context/assemble', { body: { messages: [{ role: 'user', parts }] } })
      const share = await host.call('POST', `${path}/c/shares`, { body: { title: markdown } })
      const page = await host.call('GET', new URL(share.body.url, host.url).pathname)
      expect(page.status).toBe(200)
      await host.call('GET', `${path}/c/export?format=markdown`)
      await host.call('GET', `/api/v1/search?q=${encodeURIComponent(url)}`)
      expect(visits).toBe(0)
    } finally {
      canary.close()
    }
  })

  test('reports a figure of zero only where a known positive would show [L-31]', async () => {
    const host = await start({ store: 'sqlite', models: modelsOf(saying('ok')), policy: 'session-window' })
    const usage = async () => (await host.call('GET', '/api/v1/usage')).body.totals
    expect(await usage()).toMatchObject({ runs: 0, messages_dropped: 0 })
    for (let i = 0; i < 3; i++)
      await host.call('POST', '/chat', {
        body: { session_id: 'c', message: `${i} ${'word '.repeat(4_000)}`, policy: 'session-window' },
      })
    const after = await usage()
    for (const name of ['runs', 'messages', 'tokens_sent', 'messages_dropped'])
      expect(after[name], name).toBeGreaterThan(0)
  })

  test('reports the tokens that are sent again each turn, not just the size of the window [L-32]', async () => {
    const host = await start({ store: 'sqlite', models: modelsOf(saying('fine')) })
    const sizes: number[] = []
    for (const message of ['one', 'two', 'three']) {
      const { body } = await host.call('POST', '/chat', { body: { session_id: 'c', message } })
      const receipt = (await host.call('GET', `/api/v1/receipts/${body.receipt_id}`)).body
      sizes.push(receipt.receipt.budget.used)
    }
    const { totals } = (await host.call('GET', '/api/v1/usage?conversation_id=c')).body
    expect(totals.tokens_sent).toBe(sizes.reduce((sum, size) => sum + size, 0))
    expect(totals.tokens_sent).toBeGreaterThan(sizes.at(-1) as number)
  })

  test('keeps the title it has when a better one cannot be made [L-29]', async () => {
    const wishes: string[] = []
    const model = saying('ok')
    const stubborn = {
      ...model,
      stream: (request: Parameters<typeof model.stream>[0]) => {
        const text = request.items.at(-1)?.text ?? ''
        if (!text.startsWith('Give this conversation a title')) return model.stream(request)
        wishes.push(text)
        throw new ModelError('overloaded', 'busy')
      },
    }
    const host = await start({ store: 'sqlite', models: modelsOf(stubborn) })
    await host.call('POST', path, { body: { id: 'c' } })
    await host.call('POST', `${path}/c/runs`, { body: { message: 'Plan the move to Lisbon' } })
    await expect.poll(() => wishes.length).toBe(1)
    expect((await host.call('GET', `${path}/c`)).body.title).toBe('Plan the move to Lisbon')
  })

  test('deletes nothing by default, however old it is [T-84]', async () => {
    const swept = async (settings: object) => {
      const store = memoryStore()
      await store.create('default', { id: 'old', at: '2001-01-01T00:00:00.000Z' })
      const config = schema.parse(settings) as unknown as Config
      const log: string[] = []
      const telemetry = { log: (line: { readonly event: string }) => log.push(line.event) } as unknown as Telemetry
      const end = sweep({ store, runs: openRuns({ store, models: builtinModels }), config, telemetry })
      await new Promise((resolve) => setTimeout(resolve, 50))
      await end()
      expect(log.filter((event) => event === 'sweep-failed')).toEqual([])
      return store.get('default', 'old')
    }
    expect(await swept({})).toMatchObject({ archived: false })
    expect(await swept({ archive_after_days: 1 })).toMatchObject({ archived: true })
  })
})

describe('a run that is taken up again', () => {
  test('makes no call twice, wherever it broke off [T-42]', async () => {
    const steps = [
      { type: 'text', text: 'Let me look. ' },
      { type: 'call-start', id: 'a', name: 'look' },
      { type: 'call-delta', id: 'a', json: '{"q":1}' },
      { type: 'call', id: 'a', name: 'look', input: { q: 1 } },
      { type: 'call-start', id: 'b', name: 'look' },
      { type: 'call', id: 'b', name: 'look', input: { q: 2 } },
    ] as const
    for (let broken = 1; broken <= steps.length; broken++) {
      let seconds = 0
      const store = memoryStore(() => seconds)
      const dying = scripted(async function* () {
        yield* steps.slice(0, broken)
        await new Promise(() => {})
      })
      const place = { workspace: 'w', conversation: 'c' }
      await openRuns({ store, models: modelsOf(dying), leaseSeconds: 30 }).start({ ...place, message: 'go' })
      const written = broken < 4 ? '[' : broken < 6 ? '{"q":1}' : '{"q":2}'
      const kept = async () => JSON.stringify([await store.events('w', 'c', 0, 100), await store.drafts('w', 'c')])
      await expect.poll(kept).toContain(written)
      seconds = 100
      const model = saying('done')
      const alive = openRuns({ store, models: modelsOf(model) })
      expect(await alive.recover(['w'])).toBe(1)
      expect(await alive.recover(['w'])).toBe(0)
      expect(await (await alive.start({ ...place, message: 'and?' })).ended).toMatchObject({ state: 'done' })
      const entries = await store.feed('w', 'c', 0, 100)
      const calls = entries.flatMap(({ body }) =>
        body.kind === 'message' ? body.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [],
      )
      const results = entries.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : []))
      expect(calls).toEqual(['a', 'b'].slice(0, broken < 4 ? 0 : broken < 6 ? 1 : 2))
      expect(results).toEqual(calls)
    }
  })
})

describe('what is deleted', () => {
  test('is in no byte of the files, whichever door it came in by [A-15]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'throughline-deleted-'))
    const file = join(folder, 'log.db')
    const store = await sqliteStore(file)
    const host = await startService({
      store,
      models: modelsOf(saying(({ items }) => `you said ${items.at(-1)?.text}`)),
    })
    const canaries: string[] = []
    const canary = (): string => {
      const made = `canary${Math.random().toString(36).slice(2)}${canaries.length}`
      canaries.push(made)
      return made
    }
    try {
      await host.call('POST', path, { body: { id: 'kept' } })
      await host.call('POST', `${path}/kept/messages`, { body: { message: { role: 'user', content: 'this stays' } } })
      for (let i = 0; i < 10; i++) {
        const id = `c${i}`
        await host.call('POST', path, {
          body: { id, title: canary(), system: canary(), meta: { note: canary() }, tags: [canary()] },
        })
        for (let j = 0; j < 15; j++)
          await host.call('POST', '/chat', { body: { session_id: id, message: `${canary()} ${canary()}` } })
        const asked = await host.call('POST', `${path}/${id}/messages`, {
          body: { message: { id: `m${i}`, role: 'user', content: canary() } },
        })
        expect(asked.status).toBe(201)
        await host.call('POST', `${path}/${id}/messages/m${i}/edit`, { body: { message: canary() } })
        await host.call('POST', `${path}/${id}/shares`, { body: { title: canary() } })
        await host.call('GET', `/api/v1/search?q=${canaries.at(-2)}`)
      }
      const bytes = async (): Promise<string> => {
        const files = await Promise.all(
          ['', '-wal', '-shm'].map((end) => readFile(file + end, 'latin1').catch(() => '')),
        )
        return files.join('')
      }
      const before = await bytes()
      expect(canaries.filter((one) => before.includes(one)).length).toBeGreaterThan(300)
      for (let i = 0; i < 10; i++) {
        const removed = await host.call('DELETE', `${path}/c${i}`)
        expect(removed.status).toBe(200)
        expect((await host.call('POST', `${path}/c${i}/messages`, { body: { message: 'late' } })).status).toBe(404)
      }
      const after = await bytes()
      expect(canaries.filter((one) => after.includes(one))).toEqual([])
      expect(after).toContain('this stays')
    } finally {
      await host.stop()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
