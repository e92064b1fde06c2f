/** `throughline serve`: the service on one port of this machine. */

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Loaded } from '../../config/load.js'
import { HistoryError } from '../../core/message/issue.js'
import { counters } from '../../core/tokens/counters.js'
import type { Log } from '../../http/kit/context.js'
import { faultOf } from '../../http/telemetry/fault.js'
import type { Telemetry } from '../../http/telemetry/telemetry.js'
import { watchModels } from '../../http/telemetry/watch-models.js'
import { watchStore } from '../../http/telemetry/watch-store.js'
import { openConnections } from '../../models/connect/connections.js'
import { learning } from '../../recall/learning.js'
import { tableEmbedder } from '../../recall/table.js'
import type { Store } from '../../store/contract/store.js'
import { seedDemo } from '../demo/seed.js'
import { withScript } from '../demo/speaker.js'
import { exits, Failure } from '../kit/failure.js'
import { finderOf } from '../kit/finder.js'
import { connecting } from '../kit/models-config.js'
import { openStore, type SettingFlags, settingsOf, storePlace } from '../kit/settings.js'
import { paintFor } from '../kit/term.js'
import { packageVersion } from '../kit/version.js'
import { accessTo } from './access.js'
import { banner } from './banner.js'
import { buildService } from './build.js'
import { hostOf } from './host.js'
import { leave } from './leave.js'
import { streaming, telemetryOf, traced } from './observe.js'
import { strangers } from './peer.js'
import { type LogSink, sinkTo } from './sink.js'
import { sweep } from './sweep.js'

export async function serve(flags: SettingFlags): Promise<number> {
  const settled = settingsOf(flags)
  const sink = sinkTo(process.stdout)
  const telemetry = await telemetryOf(settled.config, sink)
  quietProcess(telemetry.log, () => {
    sink.flush()
    process.exit(exits.failed)
  })
  const store = learning(watchStore(await openStore(storePlace(settled)), telemetry))
  try {
    return await serveFrom(store, settled, telemetry, sink)
  } finally {
    await store.close()
  }
}

async function serveFrom(store: Store, settled: Loaded, telemetry: Telemetry, sink: LogSink): Promise<number> {
  const { config, origins } = settled
  const place = storePlace(settled)
  const access = await accessTo(store, settled)
  if (config.demo && place.kind === 'sqlite' && access.auth.mode === 'open') await seeded(store, telemetry)
  const connected = await openConnections(connecting(settled))
  const models = watchModels(withScript(connected.models), telemetry)
  const { connections } = connected
  let url: string | null = null
  const parts = { settled, store, models, connections, finder: finderOf(config), access, telemetry, url: () => url }
  const { service, runs } = await buildService(parts)
  let stopping = false
  const server = hostOf(traced(service, telemetry), {
    leaving: () => stopping,
    streaming: streaming(telemetry),
    ...(access.auth.mode === 'open' && { isStranger: strangers() }),
  })
  const port = await listen(server, { host: config.host, port: config.port, exactly: origins.port !== 'default' })
  url = `http://${config.host}:${port}`
  const signal = signalled()
  const endSweeps = sweep({ store, runs, config, telemetry })
  const model = await models.find().catch(() => null)
  const lines = banner({ settled, place, port, model, access }, paintFor(process.stderr))
  process.stderr.write(`\n${lines.join('\n')}\n\n`)
  const facts = { version: packageVersion(), store: place.kind, port, open: access.auth.mode === 'open' }
  telemetry.log({ level: 'info', event: 'server-started', pid: process.pid, ...facts })
  if (model) setTimeout(() => void warmUp(model.facts.family).catch(() => {}), 1_000).unref()

  telemetry.log({ level: 'info', event: 'server-stopping', signal: await signal })
  stopping = true
  const graceMs = config.grace_seconds * 1_000
  return leave({ server, service, store, telemetry, graceMs, endSweeps, flush: sink.flush })
}

/** What tokens and meanings are looked up in is read before the first message waits for it, and after whoever comes at once. */
async function warmUp(family: string): Promise<void> {
  const [counter, embedder] = await Promise.all([counters.best(family), tableEmbedder()])
  counter.count('weather')
  embedder.kin?.('weather')
}

/** A demo that cannot be made is no reason not to serve. */
async function seeded(store: Store, telemetry: Telemetry): Promise<void> {
  try {
    if (await seedDemo(store, Date.now())) telemetry.log({ level: 'info', event: 'demo-seeded' })
  } catch (error) {
    const code = HistoryError.is(error) ? error.code : 'unknown'
    telemetry.log({ level: 'warn', event: 'demo-failed', code })
  }
}

/** Resolves with the first signal; the second one does not wait for anything. */
function signalled(): Promise<string> {
  const names = ['SIGINT', 'SIGTERM'] as const
  const heed = (work: (name: string) => void): void => {
    for (const name of names) {
      process.removeAllListeners(name)
      process.on(name, () => work(name.toLowerCase()))
    }
  }
  return new Promise((resolve) =>
    heed((name) => {
      heed(() => process.exit(exits.interrupted))
      resolve(name)
    }),
  )
}

// whatever a package would print, or the process on its way down, passes the gate of the log: words may be anyone's

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

function quietProcess(log: Log, crash: () => void): void {
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)[keyof typeof levels]][])
    console[name] = (...said: readonly unknown[]) => {
      log({ level, event: 'console', ...faultOf(said.find((one) => one instanceof Error)) })
    }
  process.on('warning', () => {})
  process.on('unhandledRejection', (error) => log({ level: 'error', event: 'promise-broken', ...faultOf(error) }))
  process.on('uncaughtException', (error) => {
    log({ level: 'error', event: 'crashed', ...faultOf(error) })
    crash()
  })
}

// Finds a place to listen.

interface Wish {
  readonly host: string
  readonly port: number
  /** Someone asked for this very port: no other will do. */
  readonly exactly: boolean
}

/** So many ports are tried one after the other, and then any. */
const tries = 20

/** Returns the port. */
async function listen(server: Server, { host, port, exactly }: Wish): Promise<number> {
  const candidates = exactly || port === 0 ? [port] : [...Array.from({ length: tries }, (_, i) => port + i), 0]
  for (const candidate of candidates) {
    const failure = await attempt(server, host, candidate)
    if (failure === null) return (server.address() as AddressInfo).port
    if (failure.code !== 'EADDRINUSE' || candidate === candidates.at(-1)) throw refusalOf(failure, host, candidate)
  }
  throw new Error('no candidate was left')
}

async function attempt(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function refusalOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): Failure {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is taken\n  another one: throughline serve --port 0 takes any that is free`,
    EACCES: `port ${port} needs more rights than this user has; those from 1024 on do not`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `there is no host ${host}`,
  }
  return new Failure(exits.failed, `throughline: cannot listen: ${why[code ?? ''] ?? message}`)
}
