/** Spans that are sent to an OpenTelemetry collector, as OTLP in JSON over HTTP. Loaded only when there is one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../kit/context.js'
import { type Allowed, allowed, type Facts } from './allow.js'
import type { Spans } from './spans.js'
import type { Trace } from './trace.js'

export interface OtlpOptions {
  /** The collector; the path of traces is added unless it is there. */
  readonly endpoint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly service: string
  readonly version: string
  readonly log: Log
  readonly send?: typeof fetch
}

interface Current {
  readonly trace: Trace
  readonly span: string
  facts: Facts
}

interface Sent {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: 1 | 2 | 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly unknown[]
  readonly status: { readonly code: 0 | 2 }
}

const kinds = { window: 1, commit: 1, model: 3 } as const
const most = { waiting: 4_096, batch: 512 }
const everyMs = 2_000

export function otlpSpans({ endpoint, headers, service, version, log, send = fetch }: OtlpOptions): Spans {
  const url = endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`
  const here = new AsyncLocalStorage<Current>()
  const resource = { attributes: attributesOf({ 'service.name': service, 'service.version': version }) }
  let waiting: Sent[] = []
  let lost = 0

  const keep = (span: Sent): void => {
    if (waiting.length < most.waiting) waiting.push(span)
    else lost++
  }

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, most.batch)
      waiting = waiting.slice(most.batch)
      const scopeSpans = [{ scope: { name: 'throughline', version }, spans }]
      const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
      const ok = await post(body).catch(() => false)
      if (!ok) lost += spans.length
    }
    if (lost > 0) log({ level: 'warn', event: 'spans-lost', count: lost })
    lost = 0
  }

  const post = async (body: string): Promise<boolean> => {
    const signal = AbortSignal.timeout(3_000)
    const answer = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    })
    await answer.body?.cancel()
    return answer.ok
  }

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    async request(trace, work) {
      if (!trace.sampled) return work()
      const current: Current = { trace, span: freshSpan(), facts: {} }
      const began = clock()
      try {
        return await here.run(current, work)
      } finally {
        const { span, facts } = current
        keep({
          traceId: trace.id,
          spanId: span,
          ...(trace.parent === null ? null : { parentSpanId: trace.parent }),
          name: nameOf(facts),
          kind: 2,
          ...between(began, clock()),
          attributes: attributesOf(allowed(facts)),
          status: { code: Number(facts.status ?? 500) >= 500 ? 2 : 0 },
        })
      }
    },
    describe(facts) {
      const current = here.getStore()
      if (current) current.facts = { ...current.facts, ...facts }
    },
    begin(name, facts, alreadyMs = 0) {
      const current = here.getStore()
      if (!current) return () => {}
      const began = clock() - alreadyMs
      return (more = {}) =>
        keep({
          traceId: current.trace.id,
          spanId: freshSpan(),
          parentSpanId: current.span,
          name,
          kind: kinds[name],
          ...between(began, clock()),
          attributes: attributesOf(allowed({ ...facts, ...more })),
          status: { code: more.code === undefined ? 0 : 2 },
        })
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const clock = (): number => performance.timeOrigin + performance.now()
const freshSpan = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16)
const nameOf = ({ method, route }: Facts): string => `${method ?? 'request'} ${route ?? ''}`.trim()

const between = (from: number, to: number) => ({ startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(to) })
const nanos = (ms: number): string => `${Math.floor(ms)}${String(Math.floor((ms % 1) * 1e6)).padStart(6, '0')}`

const attributesOf = (facts: Allowed): unknown[] =>
  Object.entries(facts).flatMap(([key, value]) => (value === null ? [] : [{ key, value: typed(value) }]))

function typed(value: string | number | boolean): unknown {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** `name=value,name=value`, as the variable for it is written. */
export const headersFrom = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=')
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]]
    }),
  )
