import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, proof, wireNames } from '../../test/provider/answer.js'
import { framesOf } from '../../test/provider/frames.js'
import { type Recorded, startProvider } from '../../test/provider/server.js'
import { deep, runs } from '../../test/runs.js'
import { check } from '../core/rules/check.js'
import { drain, idOf, modelAt, requestFor, thoughtsOf, tools, wordsOf } from './models.fixture.js'
import type { Fetch } from './wire/dial.js'
import { usualRetry } from './wire/retry.js'

const rich: Answer = {
  think: 'ü☂',
  text: 'é你👩‍👧',
  calls: [{ id: 'call_1', name: 'look', input: { q: 'ß🙂' } }],
}

/** A provider in the same process whose answer arrives in two pieces, cut at a byte. */
function splitFetch(bytes: Uint8Array, at: number): Fetch {
  return async (url) => {
    if (String(url).endsWith('/api/tags')) return Response.json({ models: [{ name: 'llama3.2' }] })
    if (String(url).endsWith('/api/show')) return Response.json({})
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (at > 0) controller.enqueue(bytes.slice(0, at))
        if (at < bytes.length) controller.enqueue(bytes.slice(at))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

describe.each(wireNames)('%s', (wire) => {
  test('an answer is the same wherever its bytes are split [T-54]', async () => {
    const answer = wire === 'openai-chat' ? { ...rich, think: '' } : rich
    const frames = framesOf(wire, answer, 'm')
    const bytes = Buffer.from([...frames.begin, ...frames.body, ...frames.close, ...frames.terminal].join(''))
    // at every byte of every character that has more than one, and at many others
    const edges = [...bytes.keys()].filter((at) => deep || (bytes[at] as number) >= 0x80 || at % 37 === 0)
    for (const at of edges) {
      const model = await modelAt(wire, 'http://127.0.0.1:9', { fetch: splitFetch(bytes, at) })
      const { events, error } = await drain(model.stream(requestFor(model, {}, { tools })))
      expect(error).toBeNull()
      expect(wordsOf(events)).toBe(rich.text)
      expect(thoughtsOf(events)).toBe(answer.think)
      expect(events.find((event) => event.type === 'call')).toMatchObject({ input: { q: 'ß🙂' } })
    }
  })

  test('what would be sent is told to the byte, and not sent', async () => {
    const provider = await startProvider({ answer: { text: 'Yes.' }, models: ['llama3.2'] })
    const model = await modelAt(wire, provider.url)
    const said = { messages: [{ role: 'user', content: 'ß🙂' }], current: 'And now?' }
    const request = requestFor(model, said, { tools, output: 300, temperature: 0.5, cacheKey: 'k' })
    const written = await model.write?.(request)
    expect(provider.requests).toEqual([])
    await drain(model.stream(request))
    expect(provider.requests.map(({ text }) => text)).toEqual([written])
    await provider.close()
  })

  test('every beginning of an answer that is not all of it is cut', async () => {
    const frames = framesOf(wire, { text: 'é你👩‍👧' }, 'm')
    const bytes = Buffer.from([...frames.begin, ...frames.body, ...frames.close, ...frames.terminal].join(''))
    const end = bytes.length - Buffer.byteLength(frames.terminal.join(''))
    for (let at = 1; at < end; at += 11) {
      const model = await modelAt(wire, 'http://127.0.0.1:9', { fetch: splitFetch(bytes.subarray(0, at), at) })
      const { events, error } = await drain(model.stream(requestFor(model)))
      expect(error).toMatchObject({ code: expect.stringMatching(/^(?:cut|garbled)$/) })
      expect('é你👩‍👧'.startsWith(wordsOf(events))).toBe(true)
    }
  })

  test('an abort stops the traffic within a second, and throws its reason [T-39]', async () => {
    const provider = await startProvider({
      fault: 'silence',
      models: ['llama3.2'],
      answer: { text: 'word '.repeat(50) },
    })
    try {
      const model = await modelAt(wire, provider.url, { silenceMs: 60_000 })
      const stop = new AbortController()
      const reason = new Error('enough')
      let aborted = 0
      const seen = await drain(
        (async function* () {
          for await (const event of model.stream(requestFor(model, {}, { signal: stop.signal }))) {
            yield event
            if (aborted === 0) {
              aborted = performance.now()
              stop.abort(reason)
            }
          }
        })(),
      )
      expect(seen.error).toBe(reason)
      expect(seen.events.some((event) => event.type === 'finish')).toBe(false)
      expect(await gone(provider.requests)).toBe(true)
      expect(performance.now() - aborted).toBeLessThan(1_000)
    } finally {
      await provider.close()
    }
  })

  test.each(['slow headers', 'endless words', 'silence at once'] as const)('an abort stops %s', async (fault) => {
    const provider = await startProvider({ fault, models: ['llama3.2'] })
    try {
      const model = await modelAt(wire, provider.url, { silenceMs: 60_000, answerBytes: 1e9 })
      const stop = new AbortController()
      const drained = drain(model.stream(requestFor(model, {}, { signal: stop.signal })))
      // an abort before the request has come would have nothing to stop
      await expect.poll(() => provider.requests.length, { timeout: 30_000, interval: 10 }).toBe(1)
      stop.abort()
      expect((await drained).error).toMatchObject({ name: 'AbortError' })
      expect(await gone(provider.requests)).toBe(true)
    } finally {
      await provider.close()
    }
  })

  test('a request that is aborted already is not sent', async () => {
    const provider = await startProvider({ models: ['llama3.2'] })
    try {
      const model = await modelAt(wire, provider.url)
      const { error } = await drain(model.stream(requestFor(model, {}, { signal: AbortSignal.abort() })))
      expect(error).toMatchObject({ name: 'AbortError' })
      expect(provider.requests).toHaveLength(0)
    } finally {
      await provider.close()
    }
  })

  test('a reader that goes away stops the traffic', async () => {
    const provider = await startProvider({ fault: 'silence', models: ['llama3.2'] })
    try {
      const model = await modelAt(wire, provider.url, { silenceMs: 60_000 })
      for await (const _ of model.stream(requestFor(model))) break
      expect(await gone(provider.requests)).toBe(true)
    } finally {
      await provider.close()
    }
  })

  test('requests are made again as often as the rule says, and no more', async () => {
    const provider = await startProvider({ fault: '529 overloaded', models: ['llama3.2'] })
    try {
      const model = await modelAt(wire, provider.url, { retry: { attempts: 4, sleep: async () => undefined } })
      const failed = await drain(model.stream(requestFor(model)))
      expect(failed.error).toMatchObject({ code: 'overloaded', status: 529 })
      expect(failed.events.map((event) => event.type)).toEqual(['retry', 'retry', 'retry'])
      expect(provider.requests).toHaveLength(4)
      provider.set({ fault: ({ number }) => (number === 5 ? 'cut in the arguments' : null) })
      const cut = await drain(model.stream(requestFor(model)))
      // words were said, so the request is not made again
      expect(cut.error).toMatchObject({ code: 'cut' })
      expect(provider.requests).toHaveLength(5)
      provider.set({ fault: ({ number }) => (number === 6 ? 'empty body' : null), answer: { text: 'Here.' } })
      const saved = await drain(model.stream(requestFor(model)))
      expect(saved.error).toBeNull()
      expect(saved.events[0]).toMatchObject({ type: 'retry', attempt: 1, code: 'cut' })
      expect(wordsOf(saved.events)).toBe('Here.')
    } finally {
      await provider.close()
    }
  })

  test('what is too long is not sent again as it is', async () => {
    const provider = await startProvider({ fault: '413 too large', models: ['llama3.2'] })
    try {
      const model = await modelAt(wire, provider.url, { retry: usualRetry })
      const { error, events } = await drain(model.stream(requestFor(model)))
      expect(error).toMatchObject({ code: 'overflow', status: 413 })
      expect(events).toEqual([])
      expect(provider.requests).toHaveLength(1)
    } finally {
      await provider.close()
    }
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const hosted = wireNames.filter((wire) => wire !== 'ollama')

describe.each(hosted)('what %s is sent', (wire) => {
  const model = idOf[wire]
  const thought = {
    type: 'think',
    text: 'hm',
    ...(wire === 'openai-responses' ? { id: proof.id, sealed: proof.sealed } : { signature: proof.signature }),
  }
  const history = [
    { role: 'user', content: 'look, please' },
    {
      role: 'assistant',
      model,
      parts: [
        thought,
        { type: 'text', text: 'I look.' },
        {
          type: 'call',
          id: 'c1',
          name: 'look',
          input: { q: 'a' },
          outcome: { state: 'ok', output: [{ type: 'text', text: 'A' }] },
        },
        {
          type: 'call',
          id: 'c2',
          name: 'look',
          input: {},
          outcome: { state: 'error', output: [{ type: 'text', text: 'no' }] },
        },
        { type: 'call', id: 'c3', name: 'look', input: { q: 'z' }, outcome: { state: 'pending' } },
        { type: 'text', text: 'Found A.' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'and this?' },
        { type: 'file', mediaType: 'image/png', source: { kind: 'data', base64: png } },
      ],
    },
  ]

  test('is legal, holds the tools and keeps the reasoning with its proof', async () => {
    const provider = await startProvider()
    try {
      const opened = await modelAt(wire, provider.url)
      const request = requestFor(
        opened,
        { messages: history, current: 'so?' },
        { tools, system: 'Be brief.', output: 3_000, temperature: 0, settings: { thinking: 1_024 } },
      )
      expect((await drain(opened.stream(request))).error).toBeNull()
      const { body } = provider.requests[0] as Recorded
      expect(check(opened.target, body)).toEqual([])
      const written = JSON.stringify(body)
      for (const words of ['look, please', 'Found A.', 'Be brief.', 'looks something up', png.slice(0, 40), 'so?'])
        expect(written).toContain(words)
      if (wire !== 'openai-chat')
        expect(written).toContain(wire === 'openai-responses' ? proof.sealed : proof.signature)
      else expect(written).not.toContain('"hm"')
      expect(written).not.toContain('item_reference')
    } finally {
      await provider.close()
    }
  })

  test('is legal for any history', async () => {
    const provider = await startProvider()
    try {
      const opened = await modelAt(wire, provider.url)
      const part = fc.oneof(
        fc.record({
          type: fc.constant('text'),
          text: fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constant(' '), fc.constant('x\ud800')),
        }),
        fc.constant(thought),
        fc.record({
          type: fc.constant('call'),
          id: fc.constantFrom('c1', 'c2', 'with space', ''),
          name: fc.constantFrom('look', 'bad name!', ''),
          input: fc.oneof(fc.constant({ q: 1 }), fc.constant(null), fc.constant('text')),
          outcome: fc.constantFrom(
            { state: 'pending' },
            { state: 'ok', output: [{ type: 'text', text: 'r' }] },
            { state: 'ok', output: [] },
          ),
        }),
        fc.constant({ type: 'file', mediaType: 'image/png', source: { kind: 'data', base64: png } }),
        fc.constant({
          type: 'file',
          mediaType: 'text/plain',
          name: 'a.txt',
          source: { kind: 'text', text: 'in the file' },
        }),
      )
      const message = fc.record({
        role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
        model: fc.constantFrom(model, 'other/model'),
        parts: fc.array(part, { maxLength: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(message, { maxLength: 6 }), async (messages) => {
          const { error } = await drain(opened.stream(requestFor(opened, { messages }, { tools })))
          expect(error).toBeNull()
          expect(check(opened.target, (provider.requests.at(-1) as Recorded).body)).toEqual([])
        }),
        { numRuns: Math.max(40, runs / 5) },
      )
    } finally {
      await provider.close()
    }
  })

  test("a provider's words become no message [T-20]", async () => {
    const provider = await startProvider()
    try {
      const opened = await modelAt(wire, provider.url)
      for (const fault of ['500', '400', 'error first', 'error in the middle', 'HTML body'] as const) {
        provider.set({ fault })
        const { error, events } = await drain(opened.stream(requestFor(opened)))
        expect(String(error)).not.toContain('secret-words')
        expect(JSON.stringify(events)).not.toContain('secret-words')
        expect(String((error as Error).cause)).toContain('secret-words')
      }
    } finally {
      await provider.close()
    }
  })

  test('keys go to their provider and into no message', async () => {
    const provider = await startProvider({ fault: '401' })
    try {
      const opened = await modelAt(wire, provider.url)
      const { error } = await drain(opened.stream(requestFor(opened)))
      expect(JSON.stringify(provider.requests[0]?.headers)).toMatch(/key-[aog]/)
      expect(String(error)).not.toMatch(/key-[aog]/)
    } finally {
      await provider.close()
    }
  })
})

async function gone(requests: readonly Recorded[]): Promise<boolean> {
  for (let waited = 0; waited < 15_000; waited += 10) {
    if (requests.at(-1)?.abandoned) return true
    await wait(10)
  }
  return false
}

test('what OpenAI sealed for one account goes back to it and to no other, and its key is told to nobody', async () => {
  const provider = await startProvider({ answer: rich })
  try {
    const openai = { apiKey: 'key-of-another', baseUrl: `${provider.url}/v1`, api: 'responses' } as const
    const own = await modelAt('openai-responses', provider.url)
    const other = await modelAt('openai-responses', provider.url, { providers: { openai } })
    const { events } = await drain(own.stream(requestFor(own, {}, { tools })))
    const thought = events.flatMap((event) => (event.type === 'thought' ? [event.part] : []))
    expect(thought).toEqual([expect.objectContaining({ sealed: proof.sealed, issuer: own.issuer })])
    expect(JSON.stringify(thought)).not.toContain('key-o')
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', model: own.id, parts: [...thought, { type: 'text', text: 'Good day.' }] },
    ]
    const sent = async (model: typeof own): Promise<string> => {
      expect((await drain(model.stream(requestFor(model, { messages }, { tools })))).error).toBeNull()
      return JSON.stringify(provider.requests.at(-1)?.body)
    }
    expect(await sent(own)).toContain(proof.sealed)
    const elsewhere = await sent(other)
    expect(elsewhere).toContain('Good day.')
    expect(elsewhere).not.toContain(proof.sealed)
    expect(elsewhere).not.toContain('"reasoning"')
  } finally {
    await provider.close()
  }
})
