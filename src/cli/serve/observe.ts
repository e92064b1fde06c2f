/** What is told of a server while it works. */
import type { Config } from '../../config/schema.js'
import type { RequestFacts, Service } from '../../http/service.js'
import { openLog } from '../../http/telemetry/log.js'
import { noSpans, type Spans } from '../../http/telemetry/spans.js'
import { openTelemetry, type Telemetry } from '../../http/telemetry/telemetry.js'
import { traceOf } from '../../http/telemetry/trace.js'
import { packageVersion } from '../kit/version.js'
import type { LogSink } from './sink.js'

export async function telemetryOf(config: Config, sink: LogSink): Promise<Telemetry> {
  const { log_level, log_form, log_session_ids, otel_endpoint, otel_headers, otel_service } = config
  const form = log_form === 'auto' ? (process.stdout.isTTY ? 'pretty' : 'json') : log_form
  const log = openLog({ level: log_level, form, write: sink.write, sessionIds: log_session_ids })
  let spans: Spans = noSpans
  if (otel_endpoint !== null) {
    const { headersFrom, otlpSpans } = await import('../../http/telemetry/otlp.js')
    const headers = headersFrom(otel_headers ?? '')
    spans = otlpSpans({ endpoint: otel_endpoint, headers, service: otel_service, version: packageVersion(), log })
  }
  return openTelemetry(log, spans)
}

/** Each request is a span of its caller's trace, and is named by it. */
export const traced = ({ fetch }: Service, { spans }: Telemetry): Pick<Service, 'fetch'> => ({
  fetch: (request, info) => {
    const trace = traceOf(request.headers.get('traceparent'))
    return spans.request(trace, () => fetch(request, { ...info, trace: trace.id }))
  },
})

/** Routes are told as they are written; what was asked for is not told at all where there is none. */
export function tellRequest(facts: RequestFacts, { metrics, spans, log }: Telemetry): void {
  const { id, status, milliseconds, workspace, key } = facts
  const route = facts.route ?? '/other'
  const method = known.has(facts.method) ? facts.method : 'other'
  metrics.requests.add({ method, route, status })
  metrics.requestSeconds.observe(milliseconds / 1_000, { route })
  spans.describe({ method, route, status })
  const level = status >= 500 ? 'error' : quiet.has(route) ? 'debug' : 'info'
  log({ level, event: 'request', method, route, status, milliseconds, workspace, key, trace_id: id })
}

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Asked for every few seconds by machines. */
const quiet = new Set(['/health', '/ready', '/metrics'])

/** Told of an event stream that opens; returns what is told of its end. */
export const streaming =
  ({ metrics }: Telemetry) =>
  (): (() => void) => {
    metrics.streams.add(1)
    return () => metrics.streams.add(-1)
  }
