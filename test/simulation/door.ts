/** Those who come by HTTP: with keys of two workspaces they ask, tell, follow, leave, come back, pry, flood and send nonsense. */
import { createKey, revokeKey } from '../../src/http/kit/keys.js'
import { openService, type Service } from '../../src/http/service.js'
import type { Run, Runs } from '../../src/runs/contract.js'
import type { Store } from '../../src/store/contract/store.js'
import type { Tasks } from '../../src/tasks/record/contract.js'
import { Broken, type Place, type Said, type watchLaws } from './laws.js'
import { type Frame, readFrames } from './reader.js'
import { type Desk, pause, type Server, type World, workspaces } from './world.js'

const rate = { perSecond: 20, burst: 40 }
/** Streams that a workspace may have open at a server. */
const streams = 12
const bodyBytes = 4_096

/** The service of one server, opened when the first request comes. */
export function serviceOf(
  store: Store,
  runs: Runs,
  tasksOf: (workspace: string) => Tasks,
  { env, models }: World,
): () => Promise<Service> {
  let opened: Promise<Service> | undefined
  const clock = (): number => performance.now()
  const shared = { store, runs, models, tasksOf, rate, recaller: null, runner: 'simulated' } as const
  const limits = { auth: { mode: 'keys' }, limits: { bodyBytes }, live: { streams, streamAgeMs: 8_000 } } as const
  return () => {
    opened ??= openService({ ...shared, ...limits, env: { ...env, clock } })
    return opened
  }
}

interface Ask {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly server?: Server
}

interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: laws look into answers of any shape
  readonly body: any
}

export async function openDoor(world: World, laws: ReturnType<typeof watchLaws>): Promise<Desk> {
  const { base, env, roll, chance, pick, servers, go, within, counts } = world
  const newKey = async (workspace: string, scope: 'read' | 'write') =>
    createKey(base, { workspace, scope, name: 'simulated', at: env.now() })
  const keys = new Map<string, string>()
  const readers = new Map<string, string>()
  for (const workspace of workspaces) {
    keys.set(workspace, (await newKey(workspace, 'write')).key)
    readers.set(workspace, (await newKey(workspace, 'read')).key)
    await base.create(workspace, { id: `only-${workspace}`, at: env.now() })
  }
  const expect = (holds: boolean, law: string): void => {
    if (!holds) throw new Broken(law)
  }
  const otherOf = (workspace: string): string => workspaces.find((one) => one !== workspace) as string
  /** Words and ids of another workspace are in no answer. */
  const judge = (workspace: string, what: string, text: string): void =>
    expect(!new RegExp(`\\b${otherOf(workspace)}-[ab]-\\d`).test(text), `${what} tells ${workspace} words of another`)

  const fetched = async (workspace: string, method: string, path: string, ask: Ask = {}): Promise<Response> => {
    counts.requests++
    const { key = keys.get(workspace) ?? null, body, headers = {}, server = pick(servers()) } = ask
    const service = await server.service()
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await service.fetch(request, { remote: '10.0.0.1' })
    expect(response.status !== 500, `${method} ${path} was told 500`)
    if (response.status >= 400)
      expect(
        /problem\+json/.test(response.headers.get('content-type') ?? ''),
        `${path}: ${response.status} says not why`,
      )
    return response
  }

  /** Null when no answer comes in time, as when the server dies. */
  const call = (workspace: string, method: string, path: string, ask: Ask = {}): Promise<Answer | null> => {
    const answered = async (): Promise<Answer> => {
      const response = await fetched(workspace, method, path, ask)
      const text = await response.text()
      judge(workspace, `${method} ${path}`, text)
      return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
    }
    return within(answered())
  }

  /** A stream; whoever did not wait for it has hung up. */
  const opened = async (workspace: string, method: string, path: string, ask: Ask): Promise<Response | null> => {
    const coming = fetched(workspace, method, path, ask)
    const response = await within(coming)
    if (response === null)
      coming.then(
        (late) => late.body?.cancel(),
        () => {},
      )
    return response
  }

  /** Whether to come again: the store could not be reached, or there were too many requests. */
  const mayRetry = async (answer: Answer | null): Promise<boolean> => {
    if (answer === null || answer.status === 503) return true
    if (answer.status !== 429) return false
    await pause(1_000)
    return true
  }

  const pathOf = ({ conversation }: Place): string => `/api/v1/conversations/${conversation}`
  const asking = ({ key, text }: Said, more: object = {}) => ({
    headers: { 'idempotency-key': key, ...more },
    body: { message: text, when_busy: chance(70) ? 'queue' : 'refuse' },
  })

  /** As an honest client: the same request with the same key, until someone answers. */
  const ask = async (said: Said): Promise<void> => {
    const request = asking(said)
    for (let attempt = 0; attempt < 3; attempt++) {
      laws.sending(said)
      const answer = await call(said.workspace, 'POST', `${pathOf(said)}/runs`, request)
      if (await mayRetry(answer)) continue
      if (answer?.status === 409) return expect(answer.body.code === 'busy', `${said.key} was told ${answer.text}`)
      expect(answer?.status === 201 || answer?.status === 202, `${said.key} was told ${answer?.status} ${answer?.text}`)
      return laws.started(said, answer?.body.run as Run)
    }
  }

  const tell = async (said: Said): Promise<void> => {
    const send = (content: string | null) =>
      call(said.workspace, 'POST', `${pathOf(said)}/messages`, {
        headers: { 'idempotency-key': said.key },
        body: { message: { role: 'user', content } },
      })
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await send(said.text)
      if (await mayRetry(answer)) continue
      expect((answer?.status ?? 0) < 300, `${said.key} was told ${answer?.status} ${answer?.text}`)
      laws.acknowledged(said)
      const other = chance(30) ? await send(`${said.text}-other`) : null
      return expect(
        !other || [409, 422, 429, 503].includes(other.status),
        `${said.key} was taken twice, with other words: ${other?.status} ${other?.text}`,
      )
    }
  }

  /** Reads some frames, slowly, and leaves; returns where it stands. */
  const read = async (
    response: Response,
    slowness: number,
    most: number,
    heard: (frame: Frame) => boolean,
  ): Promise<void> => {
    const frames = readFrames(response)
    const end = performance.now() + most
    for (;;) {
      const frame = await Promise.race([frames.next(), pause(Math.max(0, end - performance.now())).then(() => null)])
      if (frame === null || !heard(frame)) break
      await pause(slowness)
    }
    frames.leave()
  }

  /** Goes on from the last event it has, at whichever server answers: it misses none and gets none twice. */
  const listen = async (place: Place, slowness: number): Promise<void> => {
    let last = 0
    for (let attempt = 0; attempt < 3; attempt++) {
      const headers = { 'last-event-id': `${last}` }
      const response = await opened(place.workspace, 'GET', `${pathOf(place)}/events`, { headers })
      if (response?.status !== 200) continue
      await read(response, slowness, 1_500, ({ id, event, text }) => {
        judge(place.workspace, 'a stream', text)
        if (event === 'error' || id === null) return event !== 'error'
        expect(id === last + 1, `a reader of ${place.workspace}/${place.conversation} got ${id} after ${last}`)
        last = id
        return true
      })
    }
  }

  /** Asks and follows the answer; leaves in the middle, comes back, and hears the end once. */
  const follow = async (said: Said): Promise<void> => {
    const request = asking(said, { accept: 'text/event-stream' })
    laws.sending(said)
    let response = await opened(said.workspace, 'POST', `${pathOf(said)}/runs`, request)
    const run = response?.headers.get('location')?.split('/').at(-1)
    if (!response || !run || response.status >= 300) return response?.body?.cancel()
    laws.started(said, { id: run, state: 'active' })
    let [last, ends] = [0, 0]
    for (let attempt = 0; attempt < 12 && ends === 0; attempt++) {
      if (response?.status === 204) return
      if (response?.status === 200 || response?.status === 201 || response?.status === 202)
        await read(response, roll(100), 300 + roll(1_500), ({ id, event, text }) => {
          judge(said.workspace, 'a stream', text)
          if (event === 'error' || id === null) return event !== 'error'
          expect(id > last, `a reader of run ${run} got ${id} after ${last}`)
          expect(ends === 0, `run ${run} goes on after its end`)
          last = id
          if (event === 'run-ended') ends++
          return event !== 'run-ended'
        })
      if (ends > 0) return
      const headers = { 'last-event-id': `${last}` }
      response = await opened(said.workspace, 'GET', `${pathOf(said)}/runs/${run}/events`, { headers })
    }
    await response?.body?.cancel()
  }

  /** What one workspace has another does not find, and who has no key or a small one may not. */
  const pry = async (workspace: string): Promise<void> => {
    const other = otherOf(workspace)
    const run = laws.anyRun(roll)
    const paths = [`/api/v1/conversations/only-${other}`, `/api/v1/conversations/only-${other}/messages`]
    if (run?.workspace === other) paths.push(`/api/v1/conversations/${run.conversation}/runs/${run.id}`)
    for (const path of paths) {
      const answer = await call(workspace, 'GET', path)
      expect(!answer || [404, 429, 503].includes(answer.status), `${workspace} got ${answer?.status} at ${path}`)
    }
    const body = { message: { role: 'user', content: 'x' } }
    const keyless = await call(workspace, 'GET', '/api/v1/conversations', { key: chance(50) ? null : 'tl_0.none' })
    expect(!keyless || [401, 429, 503].includes(keyless.status), `without a key: ${keyless?.status}`)
    const reader = await call(workspace, 'POST', '/api/v1/conversations/a/messages', {
      key: readers.get(workspace) ?? '',
      body,
    })
    expect(!reader || [403, 429, 503].includes(reader.status), `a key that may read wrote: ${reader?.status}`)
    const list = await call(workspace, 'GET', '/api/v1/conversations')
    expect(!list?.text.includes(`only-${other}`), `${workspace} sees the conversations of ${other}`)
  }

  /** Who asks too often waits, and nobody else does. */
  const flood = async (workspace: string): Promise<void> => {
    const { key } = await newKey(workspace, 'read')
    const server = pick(servers())
    const began = performance.now()
    const all = Array.from({ length: 50 }, () => call(workspace, 'GET', '/api/v1/policies', { key, server }))
    const answers = await Promise.all(all)
    const fine = answers.filter((answer) => answer !== null && answer.status === 200).length
    const most = rate.burst + 1 + (rate.perSecond * (performance.now() - began)) / 1_000
    expect(fine <= most, `${fine} of 50 requests at once were let in`)
    const health = await call(workspace, 'GET', '/health', { key: null, server })
    expect(!health || health.status === 200, `/health was told ${health?.status} in a flood`)
    const ready = await call(workspace, 'GET', '/ready', { key: null, server })
    expect(!ready || [200, 503].includes(ready.status), `/ready was told ${ready?.status} in a flood`)
  }

  const revoke = async (place: Place): Promise<void> => {
    const { key, prefix } = await newKey(place.workspace, 'write')
    const server = pick(servers())
    const open = await opened(place.workspace, 'GET', `${pathOf(place)}/events?after=0`, { key, server })
    const isOpen = open?.status === 200
    let over = !isOpen
    const ended = (): void => {
      over = true
    }
    const reading = isOpen ? read(open, 0, 60_000, () => true).then(ended) : Promise.resolve()
    void reading.catch(() => {})
    await pause(roll(500))
    await revokeKey(base, prefix, env.now())
    const { frozen } = server
    await pause(3_000)
    const lives = server.alive && frozen === server.frozen && frozen < performance.now() - 3_000
    expect(over || !lives, `a stream goes on 3 seconds after its key was revoked`)
    const answer = await call(place.workspace, 'GET', '/api/v1/policies', { key, server })
    expect(!answer || [401, 429, 503].includes(answer.status), `a revoked key was told ${answer?.status}`)
  }

  const nonsense = async (place: Place, n: number): Promise<void> => {
    const path = `${pathOf(place)}/messages`
    const content = `${place.workspace}-${place.conversation}-${n}-nonsense`
    const wrong: readonly [number, string, unknown][] = [
      [413, path, { message: { role: 'user', content: content.repeat(300) } }],
      [400, path, '{"message":'],
      [400, path, { message: { role: 'user', content }, strange: 1 }],
      [404, '/api/v1/nothing', {}],
      [405, '/api/v1/policies', {}],
    ]
    const [status, where, body] = pick(wrong)
    const answer = await call(place.workspace, 'POST', where, { body })
    const fine = [status, 422, 429, 503]
    expect(!answer || fine.includes(answer.status), `nonsense at ${where} was told ${answer?.status} and not ${status}`)
  }

  return {
    act(n, place) {
      const said: Said = { ...place, text: `${place.workspace}-${place.conversation}-${n}`, key: `k${n}` }
      const what = roll(100)
      if (what < 25) go(ask(said))
      else if (what < 40) go(tell(said))
      else if (what < 55) go(follow(said))
      else if (what < 70) go(listen(place, roll(200)))
      else if (what < 80) go(pry(place.workspace))
      else if (what < 81) go(flood(place.workspace))
      else if (what < 90) go(revoke(place))
      else go(nonsense(place, n))
    },
    look: async () => {},
    recover: async () => {},
    isBusy: async () => false,
    /** Whoever left holds no stream: as many as may be open can be opened. */
    async atRest() {
      const held: Response[] = []
      const all = async (): Promise<void> => {
        for (const server of servers())
          for (const workspace of workspaces)
            for (let n = 0; n < streams; n++) {
              const path = '/api/v1/conversations/a/events'
              const { key } = await newKey(workspace, 'read')
              const response = await fetched(workspace, 'GET', path, { key, server })
              expect(response.status === 200, `stream ${n + 1} of ${streams} was told ${response.status}`)
              held.push(response)
            }
        for (const response of held) await response.body?.cancel()
      }
      const done = all().then(
        () => null,
        (error: unknown) => error,
      )
      await world.time.pass(5_000)
      const error = await done
      if (error) throw error
      return counts.requests
    },
  }
}
