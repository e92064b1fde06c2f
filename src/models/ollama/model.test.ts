import { expect, test } from 'vitest'
import { type Provider, type Recorded, startProvider } from '../../../test/provider/server.js'
import { drain, modelAt, requestFor, tools } from '../models.fixture.js'
import { contextFor } from './model.js'

const withProvider = async (act: (provider: Provider) => Promise<void>): Promise<void> => {
  const provider = await startProvider({ models: ['llama3.2:latest'] })
  try {
    await act(provider)
  } finally {
    await provider.close()
  }
}

const bodyOf = (provider: Provider) =>
  (provider.requests.at(-1) as Recorded).body as {
    readonly model: string
    readonly options: Readonly<Record<string, number>>
    readonly messages: readonly unknown[]
  }

test('the context grows in steps, up to the one the model has', () => {
  expect(contextFor(10, 131_072)).toBe(4_096)
  expect(contextFor(4_097, 131_072)).toBe(8_192)
  expect(contextFor(100_000, 131_072)).toBe(131_072)
  expect(contextFor(100_000, 16_384)).toBe(16_384)
  expect(contextFor(10, 2_048)).toBe(2_048)
})

test('Ollama is always told how much it has to read', () =>
  withProvider(async (provider) => {
    const model = await modelAt('ollama', provider.url)
    expect(model.facts.window).toBe(16_384)
    await drain(model.stream(requestFor(model, {}, { output: 100, temperature: 0 })))
    expect(bodyOf(provider)).toMatchObject({
      model: 'llama3.2:latest',
      options: { num_ctx: 4_096, num_predict: 100, temperature: 0 },
    })
    const long = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: `${at} ${'some words of some length '.repeat(25)}`,
    }))
    await drain(model.stream(requestFor(model, { messages: long }, { output: 100 })))
    expect(bodyOf(provider).options.num_ctx).toBeGreaterThan(4_096)
  }))

test('a model that read far less than was sent is found out', () =>
  withProvider(async (provider) => {
    provider.set({ answer: { text: 'ok', usage: { input: 120, output: 1 } } })
    const model = await modelAt('ollama', provider.url)
    const messages = [{ role: 'user', content: 'many words stand here '.repeat(300) }]
    const { events } = await drain(model.stream(requestFor(model, { messages })))
    expect(events.at(-1)).toMatchObject({ notes: [expect.stringMatching(/^the model read 120 tokens of about \d+/)] })
    provider.set({ answer: { text: 'ok', usage: { input: 1_205, output: 1 } } })
    const right = await drain(model.stream(requestFor(model, { messages })))
    expect(right.events.at(-1)).not.toHaveProperty('notes')
  }))

test('calls and their results take the form that Ollama reads', () =>
  withProvider(async (provider) => {
    const model = await modelAt('ollama', provider.url)
    const messages = [
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look.' },
          {
            type: 'call',
            id: 'c',
            name: 'look',
            input: { q: 'a' },
            outcome: { state: 'ok', output: [{ type: 'text', text: 'A' }] },
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'see' },
          {
            type: 'file',
            mediaType: 'image/png',
            source: {
              kind: 'data',
              base64:
                'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        ],
      },
    ]
    await drain(model.stream(requestFor(model, { messages, current: 'so?' }, { tools, system: 'Be brief.' })))
    expect(bodyOf(provider).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'look' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ function: { name: 'look', arguments: { q: 'a' } } }] },
      { role: 'tool', content: 'A', tool_name: 'look' },
      {
        role: 'user',
        content: 'see',
        images: ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
      },
      { role: 'user', content: 'so?' },
    ])
  }))

test('two calls never have one id', () =>
  withProvider(async (provider) => {
    provider.set({
      answer: {
        calls: [
          { id: 'x', name: 'look', input: {} },
          { id: 'x', name: 'look', input: {} },
        ],
      },
    })
    const model = await modelAt('ollama', provider.url)
    const { events } = await drain(model.stream(requestFor(model, {}, { tools })))
    const ids = events.flatMap((event) => (event.type === 'call' ? [event.id] : []))
    expect(new Set(ids).size).toBe(2)
  }))
