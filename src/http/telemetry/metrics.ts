/** What the service counts. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Counter, type Gauge, type Histogram, openRegistry } from './registry.js'

export interface Metrics {
  /** By method, route and status. */
  readonly requests: Counter
  readonly requestSeconds: Histogram
  /** By the state in which they ended. */
  readonly runs: Counter
  readonly runsActive: Gauge
  readonly windows: Counter
  readonly tokensSent: Counter
  readonly tokensDropped: Counter
  /** Of those sent: at the beginning, and the same as in the window before. */
  readonly tokensReused: Counter
  /** By state (done, refused) and, where refused, by cause. */
  readonly summaries: Counter
  /** By direction: input, output, and cached. */
  readonly modelTokens: Counter
  readonly modelErrors: Counter
  /** By type. */
  readonly events: Counter
  readonly streams: Gauge
  /** By code. */
  readonly storeErrors: Counter
  readonly storeSeconds: Histogram
  text(): string
}

const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function openMetrics(): Metrics {
  const registry = openRegistry()
  const counter = (name: string, help: string) => registry.counter(`throughline_${name}`, help)
  const memory = (kind: 'rss' | 'heapUsed') => () => process.memoryUsage()[kind]
  registry.gauge('process_resident_memory_bytes', 'Memory of the process.', memory('rss'))
  registry.gauge('process_heap_bytes', 'Memory that JavaScript objects take.', memory('heapUsed'))
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let longest = 0
  const worstNow = (): number => {
    longest = Math.max(longest, delay.max / 1e9)
    return delay.max / 1e9
  }
  registry.gauge(
    'process_event_loop_delay_seconds',
    'How late the loop was at worst since the last time someone asked.',
    () => {
      const worst = worstNow()
      delay.reset()
      return worst
    },
  )
  registry.gauge(
    'process_event_loop_longest_seconds',
    'The longest that anything has held the loop since the process began.',
    () => {
      worstNow()
      return longest
    },
  )
  registry.gauge('process_uptime_seconds', 'How long the process has run.', () => Math.round(process.uptime()))
  return {
    requests: counter('requests_total', 'Requests by method, route and status.'),
    requestSeconds: registry.histogram(
      'throughline_request_seconds',
      'Time until the headers of the answer, by route.',
      seconds,
    ),
    runs: counter('runs_total', 'Runs by the state in which they ended.'),
    runsActive: registry.gauge('throughline_runs_active', 'Runs that this process began and has not ended.'),
    windows: counter('windows_total', 'Windows that were built for a model.'),
    tokensSent: counter('tokens_sent_total', 'Tokens of the windows that were sent, as we count.'),
    tokensDropped: counter('tokens_dropped_total', 'Tokens of the histories that were not sent, as we count.'),
    tokensReused: counter('tokens_reused_total', 'Tokens sent that began like the window before: the prefix.'),
    summaries: counter('summaries_total', 'Summaries of what no longer fits, by state and cause.'),
    modelTokens: counter('model_tokens_total', 'Tokens as the provider counted, by direction.'),
    modelErrors: counter('model_errors_total', 'Faults of models by code.'),
    events: counter('events_total', 'Events that were made durable, by type.'),
    streams: registry.gauge('throughline_streams_open', 'Event streams that are open.'),
    storeErrors: counter('store_errors_total', 'Failures of the store by code; refusals are not failures.'),
    storeSeconds: registry.histogram('throughline_store_seconds', 'Time of the calls of the store by method.', seconds),
    text: registry.text,
  }
}
