/** How a server ends: it takes no more, lets what is under way finish for a while, and leaves the rest resumable. */
import type { Server } from 'node:http'
import type { Service } from '../../http/service.js'
import type { Telemetry } from '../../http/telemetry/telemetry.js'
import type { Store } from '../../store/contract/store.js'
import { exits } from '../kit/failure.js'

interface Leaving {
  readonly server: Server
  readonly service: Pick<Service, 'close'>
  readonly store: Store
  readonly telemetry: Telemetry
  readonly graceMs: number
  readonly endSweeps: () => Promise<void>
  readonly flush: () => void
}

/** After the grace, so long for what is left; then the process ends as it is. */
const restMs = 1_500

export async function leave({
  server,
  service,
  store,
  telemetry,
  graceMs,
  endSweeps,
  flush,
}: Leaving): Promise<number> {
  const { log, spans } = telemetry
  const began = performance.now()
  const late = setTimeout(() => {
    log({ level: 'warn', event: 'server-forced', milliseconds: performance.now() - began })
    flush()
    process.exit(exits.ok)
  }, graceMs + restMs)
  // the door stays open for a word: whoever comes now is told to go elsewhere, `GET /ready` above all
  await service.close(graceMs)
  await endSweeps()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // answers that were begun are ended by now, or are streams that their readers resume
  setTimeout(() => server.closeAllConnections(), 250).unref()
  await closed
  await spans.close()
  await store.close()
  clearTimeout(late)
  log({ level: 'info', event: 'server-stopped', milliseconds: performance.now() - began })
  flush()
  return exits.ok
}
