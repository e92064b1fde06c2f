import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { HistoryError } from '../../core/message/issue.js'
import { ModelError } from '../../models/wire/contract.js'
import { memoryStore } from '../../store/memory/store.js'
import { refusal } from '../../store/shared/refuse.js'
import { allowed } from './allow.js'
import { faultOf } from './fault.js'
import { openLog } from './log.js'
import { headersFrom, otlpSpans } from './otlp.js'
import { openRegistry } from './registry.js'
import { openTelemetry } from './telemetry.js'
import { traceOf } from './trace.js'
import { watchModels } from './watch-models.js'
import { watchStore } from './watch-store.js'

const secret = 'sk-canary with spaces: 0123456789'

function logged(level: 'debug' | 'info' | 'warn' | 'silent' = 'debug', form: 'json' | 'pretty' = 'json') {
  const lines: string[] = []
  const log = openLog({ level, form, write: (line) => lines.push(line), now: () => '2026-01-02T03:04:05.006Z' })
  return { log, lines }
}

describe('the gate', () => {
  test('lets nothing through that is not on its list (A-14)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (facts) => {
        const hidden = Object.fromEntries(Object.entries(facts).map(([name]) => [`x${name}`, secret]))
        expect(JSON.stringify(allowed(hidden))).not.toContain('canary')
      }),
      { numRuns: runs },
    )
    const names = 'message,content,text,prompt,authorization,url,path,headers,body,email,ip,user,query,title,cause'
    expect(allowed(Object.fromEntries(names.split(',').map((name) => [name, secret])))).toEqual({})
  })

  test('lets no words through under a name that is on its list (A-14)', () => {
    const names =
      'id,session_id,conversation,run,entry,receipt,request_id,trace_id,stack,workspace,key,route,model,at,version,' +
      'name,error,code,state,reason,method,kind,stream,status,milliseconds,estimated_tokens'
    const kept = allowed(Object.fromEntries(names.split(',').map((name) => [name, secret])))
    expect(JSON.stringify(kept)).not.toContain('canary')
  })

  test('tells an id that a client made up by its hash, and one of our own as it is', () => {
    const uuid = '677dc46d-a742-4366-b9a6-f4703adf4484'
    expect(allowed({ session_id: uuid, run: `run_${uuid}`, receipt: `ctx_${uuid}` })).toEqual({
      session_id: uuid,
      run: `run_${uuid}`,
      receipt: `ctx_${uuid}`,
    })
    const { session_id } = allowed({ session_id: 'alice@example.com' })
    expect(session_id).toMatch(/^#[0-9a-f]{12}$/)
    expect(allowed({ conversation: 'alice@example.com' }).conversation).toBe(session_id)
  })

  test('tells the name of a policy or a model only where everyone knows it', () => {
    expect(allowed({ policy: 'balanced', model: 'openai/gpt-4o-mini' })).toEqual({
      policy: 'balanced',
      model: 'openai/gpt-4o-mini',
    })
    expect(allowed({ model: 'builtin/extractive' })).toEqual({ model: 'builtin/extractive' })
    expect(allowed({ policy: 'my-secret', model: 'lab/my-secret' })).toEqual({
      policy: expect.stringMatching(/^#[0-9a-f]{12}$/),
      model: expect.stringMatching(/^lab\/#[0-9a-f]{12}$/),
    })
  })

  test('tells of an error its code and its place, and none of its words (A-14)', () => {
    const broken = Object.assign(new TypeError(`cannot read ${secret}\n    at canary (canary.js:1:1)`), {
      code: 'ECONNRESET',
    })
    const [fault, line] = [faultOf(broken), JSON.stringify(allowed(faultOf(broken)))]
    expect(fault).toMatchObject({ code: 'econnreset', kind: 'TypeError' })
    expect(line).not.toContain('sk-')
    expect(faultOf(refusal('busy', secret))).toEqual({ code: 'busy' })
    expect(faultOf(new ModelError('overloaded', secret))).toEqual({ code: 'overloaded' })
    expect(faultOf(secret)).toMatchObject({ code: 'internal', kind: 'string' })
  })
})

describe('the log', () => {
  test('has the six fields of specification 4 as they are [S4-16]', () => {
    const { log, lines } = logged()
    const event = {
      event: 'conversation_context_loaded',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      session_id: '677dc46d-a742-4366-b9a6-f4703adf4484',
      total_messages_in_db: 100,
      messages_loaded: 50,
      messages_truncated: 70,
      estimated_tokens: 5_990,
      milliseconds: 1.5,
    }
    log({ level: 'info', ...event })
    expect(JSON.parse(lines[0] ?? '')).toEqual({ time: '2026-01-02T03:04:05.006Z', level: 'info', ...event })
  })

  test('keeps to its level, and is one line in either form', () => {
    const quiet = logged('warn', 'pretty')
    quiet.log({ level: 'info', event: 'request' })
    quiet.log({ level: 'warn', event: 'model-retried', code: 'overloaded', attempt: 2, text: secret })
    expect(quiet.lines).toEqual(['03:04:05 warn  model-retried code=overloaded attempt=2\n'])
    const silent = logged('silent')
    silent.log({ level: 'error', event: 'crashed' })
    expect(silent.lines).toEqual([])
  })
})

describe('the registry', () => {
  test('writes the text format of Prometheus', () => {
    const registry = openRegistry()
    const requests = registry.counter('requests_total', 'Requests.')
    requests.add({ route: '/chat', status: 200 })
    requests.add({ route: '/chat', status: 200 }, 2)
    registry.gauge('memory', 'Memory.', () => 7)
    const seconds = registry.histogram('seconds', 'Time.', [0.1, 1])
    for (const value of [0.05, 0.5, 5]) seconds.observe(value, { route: '/a"b' })
    expect(registry.text()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/chat",status="200"} 3
# HELP memory Memory.
# TYPE memory gauge
memory 7
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{route="/a\\"b",le="0.1"} 1
seconds_bucket{route="/a\\"b",le="1"} 2
seconds_bucket{route="/a\\"b",le="+Inf"} 3
seconds_sum{route="/a\\"b"} 5.55
seconds_count{route="/a\\"b"} 3
`)
  })

  test('has room for few labels, whatever is asked of it', () => {
    const registry = openRegistry()
    const requests = registry.counter('requests_total', 'Requests.')
    for (let i = 0; i < 5_000; i++) requests.add({ route: `/${i}` })
    const lines = registry.text().split('\n')
    expect(lines.length).toBeLessThan(410)
    expect(lines).toContain('requests_total{route="other"} 4600')
  })
})

describe('a store that is watched', () => {
  test('counts what became durable, and tells failures from refusals', async () => {
    const { log, lines } = logged()
    const telemetry = openTelemetry(log)
    const inner = memoryStore()
    const store = watchStore({ ...inner, get: async () => Promise.reject(refusal('unavailable', secret)) }, telemetry)
    const at = '2026-01-02T03:04:05.006Z'
    await store.create('w', { id: 'c', at })
    const run = { id: 'run_1' }
    await store.commit('w', 'c', [{ do: 'emit', events: [{ type: 'run-started', data: { run } }], at }])
    const text = telemetry.metrics.text()
    expect(text).toContain('throughline_events_total{type="run-started"} 1')
    expect(text).toContain('throughline_runs_active 1')
    await expect(store.get('w', 'c')).rejects.toSatisfy(HistoryError.is)
    await expect(store.create('w', { id: 'c', at })).rejects.toSatisfy(HistoryError.is)
    expect(telemetry.metrics.text()).toContain('throughline_store_errors_total{code="unavailable"} 1')
    expect(telemetry.metrics.text()).not.toContain('id_conflict')
    expect(lines.join('')).toContain('"event":"store-failed"')
    expect(lines.join('')).not.toContain('canary')
  })
})

describe('models that are watched', () => {
  test("count the provider's tokens, and tell a fault by its code alone (A-14)", async () => {
    const { log, lines } = logged()
    const telemetry = openTelemetry(log)
    const model = {
      id: 'lab/one',
      label: 'one',
      kind: 'local',
      facts: {} as never,
      target: 'messages',
      async *stream({ output }: { readonly output?: number }) {
        yield { type: 'retry', attempt: 1, waitMs: 5, code: 'overloaded' } as const
        if (output === 0) throw new ModelError('server_error', secret)
        yield { type: 'finish', reason: 'stop', usage: { input: 7, output: 3, cached: 2 } } as const
      },
    } as const
    const models = watchModels({ usual: 'lab/one', list: async () => [], find: async () => model }, telemetry)
    const ask = async (output?: number) => {
      const found = await models.find()
      const request = { signal: new AbortController().signal, ...(output === undefined ? {} : { output }) } as never
      for await (const _ of found.stream(request)) void _
    }
    await ask()
    await expect(ask(0)).rejects.toSatisfy(ModelError.is)
    const text = telemetry.metrics.text()
    expect(text).toContain('throughline_model_tokens_total{direction="cached"} 2')
    expect(text).toContain('throughline_model_errors_total{code="overloaded"} 2')
    expect(text).toContain('throughline_model_errors_total{code="server_error"} 1')
    expect(lines.join('') + text).not.toContain('canary')
  })
})

describe('traces', () => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test("continue the caller's, and begin anew where it sent none that is well-formed", () => {
    expect(traceOf(parent)).toEqual({
      id: '0af7651916cd43dd8448eb211c80319c',
      parent: 'b7ad6b7169203331',
      sampled: true,
    })
    for (const bad of [
      null,
      '',
      secret,
      parent.toUpperCase(),
      parent.replace(/^00/, 'ff'),
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    ])
      expect(traceOf(bad, () => 'f'.repeat(32))).toEqual({ id: 'f'.repeat(32), parent: null, sampled: true })
  })

  test('are sent as OTLP, the spans inside a request as its children, and no content with them (A-14)', async () => {
    const sent: { url: string; headers: unknown; body: string }[] = []
    const send = (async (url: string, init: { headers: unknown; body: string }) => {
      sent.push({ url, ...init })
      return new Response()
    }) as unknown as typeof fetch
    const headers = headersFrom('x-key=a%20b, other=2')
    const { log } = logged()
    const spans = otlpSpans({ endpoint: 'http://collector:4318/', headers, service: 's', version: '1.0.0', log, send })
    await spans.request(traceOf(parent), async () => {
      spans.begin('window', { conversation: secret, text: secret }, 5)()
      spans.begin('model', { model: 'lab/one' })({ code: 'overloaded' })
      spans.describe({ method: 'POST', route: '/chat', status: 200, body: secret })
    })
    await spans.close()
    expect(sent[0]).toMatchObject({ url: 'http://collector:4318/v1/traces', headers: { 'x-key': 'a b', other: '2' } })
    const { resourceSpans } = JSON.parse(sent[0]?.body ?? '')
    const [window, model, request] = resourceSpans[0].scopeSpans[0].spans
    expect(request).toMatchObject({
      name: 'POST /chat',
      kind: 2,
      parentSpanId: 'b7ad6b7169203331',
      status: { code: 0 },
    })
    for (const child of [window, model])
      expect([child.traceId, child.parentSpanId]).toEqual(['0af7651916cd43dd8448eb211c80319c', request.spanId])
    expect(model.status.code).toBe(2)
    expect(BigInt(window.endTimeUnixNano) - BigInt(window.startTimeUnixNano)).toBeGreaterThanOrEqual(5_000_000n)
    expect(sent[0]?.body).not.toContain('canary')
  })

  test('that no collector takes are counted, and the service goes on', async () => {
    const { log, lines } = logged()
    const send = (async () => Promise.reject(new Error(secret))) as unknown as typeof fetch
    const spans = otlpSpans({ endpoint: 'http://c/v1/traces', service: 's', version: '1.0.0', log, send })
    expect(await spans.request(traceOf(null), async () => 'done')).toBe('done')
    await spans.close()
    expect(lines.join('')).toContain('"event":"spans-lost","count":1')
    expect(lines.join('')).not.toContain('canary')
  })
})
