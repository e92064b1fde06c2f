import { afterEach, describe, expect, test } from 'vitest'
import { openRuns } from '../../src/runs/runs.js'
import { type Host, type HostOptions, startService } from './host.js'
import { eventsIn, followUrl, type SeenEvent } from './live-events.js'
import { gated, modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0).reverse()) await host.stop()
})

const open = async (options: HostOptions = {}): Promise<Host> => {
  const host = await startService({ store: 'sqlite', ...options })
  hosts.push(host)
  return host
}

/** Another server on the same store. */
const replicaOf = (host: Host, options: HostOptions = {}): Promise<Host> => open({ ...options, store: host.store })

const conversation = async (host: Host, id = 'c'): Promise<string> => {
  expect((await host.call('POST', '/api/v1/conversations', { body: { id } })).status).toBe(201)
  return `/api/v1/conversations/${id}`
}

const textOf = (events: readonly SeenEvent[]): string =>
  events.flatMap(({ event, data }) => (event === 'text-delta' ? [data.text] : [])).join('')

describe('a run', () => {
  test('is started, listed, read and followed', async () => {
    const host = await open({ models: modelsOf(saying('Blue owns it')) })
    const at = await conversation(host)
    const started = await host.call('POST', `${at}/runs`, { body: { message: 'Who owns it?' } })
    expect(started.status).toBe(201)
    const { run, events, warnings } = started.body
    expect([started.headers.get('location'), warnings]).toEqual([`${at}/runs/${run.id}`, []])
    const seen = eventsIn((await host.call('GET', events)).text)
    expect(seen[0]?.event).toBe('run-started')
    expect(textOf(seen)).toBe('Blue owns it')
    expect(seen.at(-1)).toMatchObject({ event: 'run-ended', data: { run: { state: 'done', message_id: run.id } } })
    expect((await host.call('GET', `${at}/runs/${run.id}`)).body).toEqual(seen.at(-1)?.data.run)
    expect((await host.call('GET', `${at}/runs`)).body.items).toEqual([seen.at(-1)?.data.run])
    expect(eventsIn((await host.call('GET', `${at}/runs/${run.id}/events`)).text)).toEqual(seen)
  })

  test('streams its events at once to whoever asks for them', async () => {
    const host = await open({ models: modelsOf(saying('Blue owns it')) })
    const at = await conversation(host)
    const { text, headers } = await host.call('POST', `${at}/runs`, {
      body: { message: 'Who?' },
      headers: { accept: 'text/event-stream' },
    })
    expect(headers.get('location')).toMatch(/\/runs\/run_/)
    expect(textOf(eventsIn(text))).toBe('Blue owns it')
    expect(eventsIn(text).at(-1)?.event).toBe('run-ended')
  })

  test('tells each event once and in order, wherever the reader was cut off, on either replica [T-43]', async () => {
    const models = modelsOf(saying('Ünïcode 👩‍👩‍👧 words, and more of them: '.repeat(12)))
    const host = await open({ models })
    const other = await replicaOf(host, { models })
    const at = await conversation(host)
    const { body } = await host.call('POST', `${at}/runs`, { body: { message: 'Tell me' } })
    const whole = (await host.call('GET', body.events)).text
    const bytes = new TextEncoder().encode(whole)
    const greeting = whole.indexOf('\n\n') + 2
    for (let cut = 0; cut < bytes.length; cut += Math.max(1, Math.floor(bytes.length / 120))) {
      const seen = new TextDecoder().decode(bytes.slice(0, cut))
      const kept = cut < greeting ? whole.slice(0, greeting) : seen.slice(0, seen.lastIndexOf('\n\n') + 2)
      const last = Number([...kept.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1])
      const rest = await (cut % 2 ? host : other).call('GET', `${at}/runs/${body.run.id}/events`, {
        headers: { 'last-event-id': String(last) },
      })
      const tail = rest.status === 204 ? '' : rest.text.slice(rest.text.indexOf('\n\n') + 2)
      expect(kept + tail).toBe(whole)
    }
    const end = eventsIn(whole).at(-1)?.id
    const done = await host.call('GET', `${at}/runs/${body.run.id}/events?after=${end}`)
    expect(done.status).toBe(204)
  })

  test('is refused with the active run’s id while another is at work, or waits in line [T-40]', async () => {
    const { model, say, end } = gated()
    const host = await open({ models: modelsOf(model, saying('second', 'test/second')) })
    const at = await conversation(host)
    const first = (await host.call('POST', `${at}/runs`, { body: { message: 'one' } })).body.run
    const busy = await host.call('POST', `${at}/runs`, { body: { message: 'two' } })
    expect([busy.status, busy.body.code, busy.body.run]).toEqual([409, 'busy', first.id])
    const queued = await host.call('POST', `${at}/runs`, {
      body: { message: 'two', when_busy: 'queue', model: 'test/second' },
    })
    expect([queued.status, queued.body.run.state]).toEqual([202, 'queued'])
    say('first')
    end()
    const reader = await followUrl(host.url + queued.body.events)
    await reader.ended
    expect(reader.events().map(({ event }) => event)).toContain('run-queued')
    expect(textOf(reader.events())).toBe('second')
    const { items } = (await host.call('GET', `${at}/messages`)).body
    expect(items.map(({ text }: { text: string }) => text)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('is stopped from another replica, keeps its words, and the next turn is legal', async () => {
    const { model, say } = gated()
    const models = modelsOf(model, saying('and on it goes', 'test/next'))
    const host = await open({ models })
    const other = await replicaOf(host, { models, runs: openRuns({ store: host.store, models }) })
    const at = await conversation(host)
    const { run, events } = (await host.call('POST', `${at}/runs`, { body: { message: 'Tell me' } })).body
    const reader = await followUrl(other.url + events)
    say('Half a sentence')
    await reader.until((seen) => textOf(seen) !== '')
    const stopped = await other.call('POST', `${at}/runs/${run.id}/stop`)
    expect([stopped.status, stopped.body.state]).toEqual([200, 'stopped'])
    await reader.ended
    expect(reader.events().at(-1)).toMatchObject({ event: 'run-ended', data: { run: { state: 'stopped' } } })
    expect((await other.call('POST', `${at}/runs/${run.id}/stop`)).body.state).toBe('stopped')
    const next = await other.call('POST', `${at}/runs`, { body: { message: 'Go on', model: 'test/next' } })
    await (await followUrl(other.url + next.body.events)).ended
    const { items } = (await host.call('GET', `${at}/messages`)).body
    expect(items.map(({ text }: { text: string }) => text)).toEqual([
      'Tell me',
      'Half a sentence',
      'Go on',
      'and on it goes',
    ])
  })

  test('is begun once by one Idempotency-Key', async () => {
    const host = await open({ models: modelsOf(saying('once')) })
    const at = await conversation(host)
    const start = () =>
      host.call('POST', `${at}/runs`, { body: { message: 'hi' }, headers: { 'idempotency-key': 'abc' } })
    const [one, two] = [await start(), await start()]
    expect(two.body.run.id).toBe(one.body.run.id)
    expect([one.body.repeated, two.body.repeated]).toEqual([false, true])
  })

  test.each(['assistant', 'system', 'orchestrator', 'developer', 'User'])(
    'does not answer what someone says as %s',
    async (role) => {
      const host = await open()
      const at = await conversation(host)
      const refused = await host.call('POST', `${at}/runs`, { body: { message: { role, content: 'x' } } })
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    },
  )

  test('is not there for those who ask in the wrong place', async () => {
    const host = await open({ models: modelsOf(saying('x')) })
    const at = await conversation(host)
    const elsewhere = await conversation(host, 'd')
    const { run } = (await host.call('POST', `${at}/runs`, { body: { message: 'hi' } })).body
    for (const [method, path] of [
      ['GET', `${elsewhere}/runs/${run.id}`],
      ['GET', `${elsewhere}/runs/${run.id}/events`],
      ['POST', `${elsewhere}/runs/${run.id}/stop`],
      ['GET', `${at}/runs/run_none`],
      ['POST', '/api/v1/conversations/none/runs'],
      ['GET', '/api/v1/conversations/none/events'],
      ['GET', '/api/v1/conversations/none/runs'],
    ] as const) {
      const body = path.endsWith('/runs') && method === 'POST' ? { message: 'x' } : undefined
      expect([path, (await host.call(method, path, { body })).status]).toEqual([path, 404])
    }
    expect((await host.store.get('default', 'none')) === null).toBe(true)
  })
})

describe('the events of a conversation', () => {
  test('reach everyone who follows it, on every replica, while several people write [S1-F9]', async () => {
    const { model, say, end } = gated()
    const models = modelsOf(model)
    const host = await open({ models })
    const other = await replicaOf(host, { models, runs: openRuns({ store: host.store, models }) })
    const at = await conversation(host)
    const ada = await followUrl(`${host.url}${at}/events`)
    const bob = await followUrl(`${other.url}${at}/events`)
    await host.call('POST', `${at}/messages`, {
      body: { message: { role: 'user', name: 'ada', content: 'I think blue' } },
    })
    await other.call('POST', `${at}/runs`, { body: { message: 'and I red', author: 'bob' } })
    say('Both ')
    say('work')
    end()
    const fork = await host.call('POST', `${at}/fork`, { body: { at: null, branch: 'idea' } })
    expect(fork.status).toBeLessThan(300)
    const complete = (events: SeenEvent[]) =>
      events.some(({ event }) => event === 'run-ended') && events.some(({ event }) => event === 'branch-moved')
    const [seen, also] = [await ada.until(complete), await bob.until(complete)]
    expect(also).toEqual(seen)
    expect(textOf(seen)).toBe('Both work')
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, i) => (seen[0]?.id ?? 0) + i))
    expect(seen.filter(({ event }) => event === 'entry-added').length).toBeGreaterThanOrEqual(3)
    ada.leave()
    bob.leave()
  })

  test('say where they begin, so that nothing is missed before the first', async () => {
    const host = await open({ models: modelsOf(saying('x')) })
    const at = await conversation(host)
    const reader = await followUrl(`${host.url}${at}/events`)
    await reader.until(() => reader.text() !== '')
    expect(reader.text()).toBe('retry: 2000\nid: 0\n\n')
    reader.leave()
    await host.call('POST', `${at}/messages`, { body: { message: 'meanwhile' } })
    const again = await followUrl(`${host.url}${at}/events`, { headers: { 'last-event-id': '0' } })
    const [first] = await again.until((events) => events.length > 0)
    expect(first).toMatchObject({ id: 1, event: 'entry-added' })
    again.leave()
  })

  test('that are no longer kept are gone, and those that are not yet are refused', async () => {
    const host = await open({ models: modelsOf(saying('x')) })
    const at = await conversation(host)
    for (const message of ['a', 'b', 'c']) await host.call('POST', `${at}/messages`, { body: { message } })
    await host.store.trimEvents('default', 'c', 2)
    const lost = await host.call('GET', `${at}/events?after=1`)
    expect([lost.status, lost.body.code, lost.body.oldest]).toEqual([410, 'events_expired', 3])
    expect((await host.call('GET', `${at}/events?after=99`)).status).toBe(422)
    expect((await host.call('GET', `${at}/events`, { headers: { 'last-event-id': 'x' } })).status).toBe(400)
    expect((await host.call('GET', `${at}/events?after=-1`)).status).toBe(400)
    const { run } = (await host.call('POST', `${at}/runs`, { body: { message: 'd' } })).body
    const done = await followUrl(`${host.url}${at}/runs/${run.id}/events`)
    await done.ended
    const { newest } = await host.store.events('default', 'c', 0, 1)
    await host.store.trimEvents('default', 'c', newest)
    const past = await host.call('GET', `${at}/runs/${run.id}/events`)
    expect([past.status, past.body.code]).toEqual([410, 'events_expired'])
  })

  test('end when the service closes, for the reader to resume elsewhere', async () => {
    const host = await startService()
    const at = await conversation(host)
    const reader = await followUrl(`${host.url}${at}/events`)
    await host.stop()
    await reader.ended
  })

  test('are held open for so many readers of a workspace and no more', async () => {
    const host = await open({ live: { streams: 2 } })
    const at = await conversation(host)
    const readers = [await followUrl(`${host.url}${at}/events`), await followUrl(`${host.url}${at}/events`)]
    const third = await host.call('GET', `${at}/events`)
    expect([third.status, third.body.code]).toEqual([429, 'rate_limited'])
    readers[0]?.leave()
    for (let tries = 0; tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const reader = await followUrl(`${host.url}${at}/events`).catch(() => null)
      if (!reader) continue
      reader.leave()
      readers[1]?.leave()
      return
    }
    throw new Error('the place was never free again')
  })
})
