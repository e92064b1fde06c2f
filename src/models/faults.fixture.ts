import { describe, expect, test } from 'vitest'
import { type Answer, proof, type Wire, wireNames } from '../../test/provider/answer.js'
import { type FaultName, faultNames } from '../../test/provider/faults.js'
import { deadAddress, startProvider } from '../../test/provider/server.js'
import { check } from '../core/rules/check.js'
import { drain, modelAt, requestFor, thoughtsOf, tools, wordsOf } from './models.fixture.js'
import { ModelError, type ModelErrorCode } from './wire/contract.js'

const kinds: Readonly<Record<string, Answer>> = {
  text: { text: 'Grüße, 你好 👩‍👩‍👧 and more words.' },
  tool: {
    text: 'Let me see ☕.',
    calls: [
      { id: 'call_1', name: 'look', input: { q: 'größe 👍', n: [1, 2] } },
      { id: 'call_2', name: 'look', input: { q: 'b' } },
    ],
  },
  thinking: { think: 'First, ☂ weigh it.', text: 'So it is ☀.' },
}

/** What is wrong, by its name; null where the answer must be whole all the same. */
const expected: Readonly<Record<FaultName, ModelErrorCode | null>> = {
  '429 in seconds': 'rate_limited',
  '429 by date': 'rate_limited',
  '429 in milliseconds': 'rate_limited',
  '429 bare': 'rate_limited',
  '500': 'server_error',
  '503': 'overloaded',
  '529 overloaded': 'overloaded',
  '401': 'unauthorized',
  '403': 'unauthorized',
  '400': 'refused',
  '404': 'refused',
  '413 too large': 'overflow',
  '400 prompt too long': 'overflow',
  '400 context length': 'overflow',
  '400 input tokens': 'overflow',
  '302 elsewhere': 'refused',
  'HTML body': 'garbled',
  'HTML error': 'server_error',
  'wrong content-type': null,
  'error first': 'overloaded',
  'error in the middle': 'overloaded',
  'cut in an event': 'cut',
  'cut in a character': 'cut',
  'cut in the arguments': 'cut',
  'cut before the end': 'cut',
  'no terminal event': 'cut',
  'no close at all': 'cut',
  'empty body': 'cut',
  'duplicate terminal': null,
  'words after the end': null,
  'reordered indices': null,
  'garbage bytes': 'garbled',
  'garbage in the middle': 'garbled',
  'bytes that are no text': 'garbled',
  'broken JSON': 'garbled',
  'byte by byte': null,
  silence: 'silent',
  'silence at once': 'silent',
  'slow headers': 'silent',
  'late headers': null,
  'huge answer': 'too_long',
  'endless words': 'too_long',
  'reset at once': 'cut',
}

const waits: Partial<Record<FaultName, number>> = {
  '429 in seconds': 2_000,
  '429 by date': 3_000,
  '429 in milliseconds': 1_500,
}

/** Where every word arrived, and only the end did not. */
const isSaid: ReadonlySet<FaultName> = new Set(['cut before the end', 'no terminal event', 'no close at all'])

/** OpenAI Chat has no place for reasoning that its own SDK would read. */
const hasThinking = (wire: Wire): boolean => wire !== 'openai-chat'

/** Google has no last event: what comes before the end of the connection belongs to the answer. */
const applies = (fault: FaultName, wire: Wire): boolean => !(fault === 'words after the end' && wire === 'google')

const cells = wireNames.flatMap((wire) =>
  Object.keys(kinds)
    .filter((kind) => kind !== 'thinking' || hasThinking(wire))
    .map((kind) => ({ wire, kind })),
)

export const ways = cells.length

/** Every wire with every kind of answer, each with the faults that are wanted there, by their numbers. */
export function meetFaults(wanted: (fault: number, way: number) => boolean): void {
  describe.concurrent.each(cells)('$wire with $kind', (cell) => {
    const { wire, kind } = cell
    const answer = kinds[kind] as Answer

    const ask = async (fault: FaultName | null) => {
      const provider = await startProvider({ answer, fault, models: ['llama3.2'] })
      try {
        const model = await modelAt(wire, provider.url, {
          silenceMs: expected[fault ?? '400'] === 'silent' ? 200 : 20_000,
        })
        const outcome = await drain(model.stream(requestFor(model, {}, { tools })))
        return { ...outcome, requests: provider.requests, model }
      } finally {
        await provider.close()
      }
    }

    const isWhole = ({ events, error }: Awaited<ReturnType<typeof ask>>): void => {
      expect(error).toBeNull()
      expect(wordsOf(events)).toBe(answer.text)
      expect(thoughtsOf(events)).toBe(answer.think ?? '')
      const calls = events.flatMap((event) => (event.type === 'call' ? [event] : []))
      expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(
        (answer.calls ?? []).map(({ name, input }) => ({ name, input })),
      )
      for (const { id, input } of calls) {
        const json = events.map((event) => (event.type === 'call-delta' && event.id === id ? event.json : '')).join('')
        expect(JSON.parse(json)).toEqual(input)
      }
      const finishes = events.filter((event) => event.type === 'finish')
      expect(finishes).toEqual([events.at(-1)])
      expect(finishes[0]).toMatchObject({
        reason: answer.calls ? 'calls' : 'stop',
        usage: { input: 11, output: 7 },
      })
    }

    test('a good answer arrives whole, and its request is legal', async () => {
      const outcome = await ask(null)
      isWhole(outcome)
      expect(outcome.requests).toHaveLength(1)
      expect(outcome.requests[0]?.wire).toBe(wire)
      if (wire !== 'ollama') expect(check(outcome.model.target, outcome.requests[0]?.body)).toEqual([])
      if (!answer.think) return
      const thought = outcome.events.find((event) => event.type === 'thought')
      expect(thought).toMatchObject({
        part: {
          type: 'think',
          text: answer.think,
          ...((wire === 'anthropic' || wire === 'google') && { signature: proof.signature }),
          ...(wire === 'openai-responses' && { id: proof.id, sealed: proof.sealed }),
        },
      })
    })

    test.each(faultNames.filter((fault, at) => applies(fault, wire) && wanted(at, cells.indexOf(cell))))(
      '%s (F-10)',
      async (fault) => {
        const outcome = await ask(fault)
        const { events, error } = outcome
        expect(outcome.requests).toHaveLength(1)
        const code = expected[fault]
        if (code === null) {
          isWhole(outcome)
          return
        }
        expect(ModelError.is(error), String(error)).toBe(true)
        if (!ModelError.is(error)) return
        expect(error.code).toBe(code)
        expect(error.message).not.toMatch(/secret-words|tokens/)
        expect(error.retryAfterMs).toBe(waits[fault] ?? null)
        expect(events.some((event) => event.type === 'finish')).toBe(false)
        // half a call is no call
        for (const event of events)
          if (event.type === 'call') expect(answer.calls?.map(({ input }) => input)).toContainEqual(event.input)
        // what was said before the fault is not lost with it
        if (isSaid.has(fault)) expect(wordsOf(events)).toBe(answer.text)
        if (fault !== 'endless words') expect((answer.text ?? '').startsWith(wordsOf(events))).toBe(true)
      },
    )

    test('a connection that is refused is unreachable', async () => {
      const provider = await startProvider({ models: ['llama3.2'] })
      let at = provider.url
      const model = await modelAt(wire, provider.url, {
        fetch: (url, init) => fetch(String(url).replace(provider.url, at), init),
      })
      // not a server that closes: the connection it had may still be taken for a good one
      at = deadAddress
      const { error } = await drain(model.stream(requestFor(model)))
      await provider.close()
      expect(error).toMatchObject({ code: 'unreachable' })
    })
  })
}
