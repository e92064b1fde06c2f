/** The AI SDK against a running service: its transport, and its models behind a window. */
import {
  DefaultChatTransport,
  generateText,
  jsonSchema,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
  type UIMessageChunk,
  wrapLanguageModel,
} from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { afterEach, describe, expect, test } from 'vitest'
import { messageStore, prepareStep, windowMiddleware } from '../../src/adapters/ai-sdk/index.js'
import { check } from '../../src/core/rules/check.js'
import type { ModelEvent } from '../../src/models/wire/contract.js'
import { type Host, type HostOptions, startService } from '../http/host.js'
import { gated, modelsOf, saying, scripted } from '../http/live-models.js'

let host: Host
const serve = async (options: HostOptions) => {
  host = await startService({ store: 'sqlite', ...options })
  return { host, transport: new DefaultChatTransport<UIMessage>({ api: `${host.url}/api/chat` }) }
}
afterEach(() => host?.stop())

const user = (id: string, text: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })

type Sent = Partial<Parameters<DefaultChatTransport<UIMessage>['sendMessages']>[0]>

const request = (messages: UIMessage[], more: Sent = {}) => ({
  chatId: 'c1',
  messages,
  trigger: 'submit-message' as const,
  messageId: undefined,
  abortSignal: undefined,
  ...more,
})

/** The message as the SDK puts it together. */
async function received(stream: ReadableStream<UIMessageChunk>, message?: UIMessage): Promise<UIMessage> {
  let last: UIMessage | undefined
  for await (const now of readUIMessageStream({ stream, ...(message && { message }) })) last = now
  return JSON.parse(JSON.stringify(last)) as UIMessage
}

const shown = async () => (await host.call('GET', '/api/chat/c1')).body.messages as UIMessage[]

const textIn = ({ parts }: UIMessage) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')

describe('DefaultChatTransport', () => {
  test('sends, and the second message knows the first', async () => {
    const model = saying((asked) => `I see ${asked.items.length} messages.`)
    const { transport } = await serve({ models: modelsOf(model) })
    const first = await received(await transport.sendMessages(request([user('u1', 'Hello.')])))
    expect(textIn(first)).toBe('I see 1 messages.')
    const second = await received(
      await transport.sendMessages(request([user('u1', 'Hello.'), first, user('u2', 'And now?')])),
    )
    expect(textIn(second)).toBe('I see 3 messages.')
    // what the service shows is what the client has put together
    expect(await shown()).toEqual([user('u1', 'Hello.'), first, user('u2', 'And now?'), second])
    const receipt = second.parts.find(({ type }) => type === 'data-receipt') as { readonly id: string }
    expect((await host.call('GET', `/api/v1/receipts/${receipt.id}`)).status).toBe(200)
    for (const { window } of model.asked) expect(window.items.at(-1)?.role).toBe('user')
  })

  test('sends the last message alone, and keeps what it does not know', async () => {
    const { host } = await serve({ models: modelsOf(saying('Yes.')) })
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${host.url}/api/chat`,
      prepareSendMessagesRequest: ({ id, messages, trigger }) => ({ body: { id, message: messages.at(-1), trigger } }),
    })
    const odd = {
      ...user('u1', 'Hello.'),
      metadata: { mood: 'good' },
      parts: [...user('u1', 'Hello.').parts, { type: 'data-place', data: { x: 1 } }],
    } as UIMessage
    const first = await received(await transport.sendMessages(request([odd])))
    const second = await received(await transport.sendMessages(request([odd, first, user('u2', 'Again?')])))
    expect(await shown()).toEqual([odd, first, user('u2', 'Again?'), second])
  })

  test('a system message holds for its run, and is no part of the conversation', async () => {
    const model = saying('Yes.')
    const { transport } = await serve({ models: modelsOf(model) })
    const system = { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] } as UIMessage
    const first = await received(await transport.sendMessages(request([system, user('u1', 'Hello.')])))
    await received(await transport.sendMessages(request([system, user('u1', 'Hello.'), first, user('u2', 'So?')])))
    expect(model.asked.map((asked) => asked.system)).toEqual(['Be brief.', 'Be brief.'])
    expect((await shown()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  test('a history that began elsewhere is taken in, and goes on here', async () => {
    const model = saying((asked) => `I see ${asked.items.length} messages.`)
    const { transport } = await serve({ models: modelsOf(model) })
    const elsewhere = { id: 'a0', role: 'assistant', parts: [{ type: 'text', text: 'Hello to you.' }] } as UIMessage
    const told = [user('u0', 'Hello.'), elsewhere, user('u1', 'And now?')]
    const answer = await received(await transport.sendMessages(request(told)))
    expect(textIn(answer)).toBe('I see 3 messages.')
    expect(await shown()).toEqual([...told, answer])
  })

  test('answers again and takes an edited message on branches of their own', async () => {
    let count = 0
    const { transport, host } = await serve({ models: modelsOf(saying(() => `Answer ${++count}.`)) })
    const asked = user('u1', 'Hello.')
    const first = await received(await transport.sendMessages(request([asked])))
    const again = { trigger: 'regenerate-message' as const, messageId: first.id }
    const second = await received(await transport.sendMessages(request([asked], again)))
    expect(textIn(second)).toBe('Answer 2.')
    expect(await shown()).toEqual([asked, second])
    const edited = user('u1', 'Good day.')
    const third = await received(await transport.sendMessages(request([edited], { messageId: 'u1' })))
    expect(await shown()).toEqual([edited, third])
    const next = await received(await transport.sendMessages(request([edited, third, user('u2', 'So?')])))
    expect(await shown()).toEqual([edited, third, user('u2', 'So?'), next])
    const { body } = await host.call('GET', '/api/v1/conversations/c1/branches')
    expect(body.items).toHaveLength(3)
  })

  test('resumes from the beginning, and gets nothing when nothing is running', async () => {
    const { model, say, end } = gated()
    const { transport } = await serve({ models: modelsOf(model) })
    expect(await transport.reconnectToStream({ chatId: 'c1' })).toBeNull()
    const leaving = new AbortController()
    const stream = await transport.sendMessages(request([user('u1', 'Hello.')], { abortSignal: leaving.signal }))
    say('It goes')
    const reader = stream.getReader()
    for (let seen = ''; !seen.includes('It goes'); ) seen += JSON.stringify((await reader.read()).value)
    leaving.abort()
    const resumed = await transport.reconnectToStream({ chatId: 'c1' })
    say(' on.')
    end()
    const message = await received(resumed as ReadableStream<UIMessageChunk>)
    expect(textIn(message)).toBe('It goes on.')
    expect(await shown()).toEqual([user('u1', 'Hello.'), message])
    expect(await transport.reconnectToStream({ chatId: 'c1' })).toBeNull()
  })

  test('the same message again finds the answer that it began', async () => {
    const { model, say, end } = gated()
    const { transport } = await serve({ models: modelsOf(model) })
    const one = await transport.sendMessages(request([user('u1', 'Hello.')]))
    const other = await transport.sendMessages(request([user('u1', 'Hello.')]))
    say('Once.')
    end()
    expect(await received(one)).toEqual(await received(other))
    expect(model.asked).toHaveLength(1)
  })

  test('is stopped by a call of its own; what was said stays', async () => {
    const { model, say } = gated()
    const { transport, host } = await serve({ models: modelsOf(model) })
    const stream = await transport.sendMessages(request([user('u1', 'Hello.')]))
    say('As far as')
    const chunks: UIMessageChunk[] = []
    const reader = stream.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      if (value.type === 'text-delta')
        expect((await host.call('POST', '/api/chat/c1/stop')).body).toEqual({ stopped: true })
    }
    expect(chunks.at(-1)).toMatchObject({ type: 'abort' })
    expect((await shown()).map(textIn)).toEqual(['Hello.', 'As far as'])
    expect((await host.call('POST', '/api/chat/c1/stop')).body).toEqual({ stopped: false })
  })

  test('a tool of the client is called, answered, and the same message goes on', async () => {
    const model = scripted(async function* ({ items }): AsyncGenerator<ModelEvent> {
      const answered = items.at(-1)?.parts.some((part) => part.type === 'call')
      if (answered) {
        yield { type: 'text', text: 'It is 21 degrees.' }
        yield { type: 'finish', reason: 'stop', usage: null }
        return
      }
      yield { type: 'think', text: 'I should look.' }
      yield { type: 'thought', part: { type: 'think', text: 'I should look.', signature: 'c2ln' } }
      yield { type: 'text', text: '\n\n' }
      yield { type: 'call-start', id: 'call_1', name: 'look' }
      yield { type: 'call-delta', id: 'call_1', json: '{"at":' }
      yield { type: 'call-delta', id: 'call_1', json: '"home"}' }
      yield { type: 'call', id: 'call_1', name: 'look', input: { at: 'home' } }
      yield { type: 'finish', reason: 'calls', usage: { input: 1, output: 1 } }
    })
    const { transport } = await serve({ models: modelsOf(model) })
    const body = { tools: { look: { description: 'Looks.', inputSchema: { type: 'object', properties: {} } } } }
    const asked = user('u1', 'How warm is it?')
    const first = await received(await transport.sendMessages(request([asked], { body })))
    expect(first.parts.map(({ type }) => type)).toEqual(['step-start', 'data-receipt', 'reasoning', 'tool-look'])
    expect(first.parts[2]).toMatchObject({ providerMetadata: { anthropic: { signature: 'c2ln' } } })
    expect(await shown()).toEqual([asked, first])
    const done = (part: UIMessage['parts'][number]) =>
      part.type === 'tool-look' ? { ...part, state: 'output-available', output: { celsius: 21 } } : part
    const looked = { ...first, parts: first.parts.map(done) } as UIMessage
    const stream = await transport.sendMessages(request([asked, looked], { body }))
    const whole = await received(stream, structuredClone(looked))
    expect(whole.id).toBe(first.id)
    expect(textIn(whole)).toBe('It is 21 degrees.')
    expect(await shown()).toEqual([asked, whole])
    expect(model.asked[0]?.tools).toEqual([
      { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } },
    ])
  })

  test('is told of a failure in our words', async () => {
    const model = scripted(async function* () {
      yield { type: 'text', text: 'I' }
      throw new Error('secret')
    })
    const { transport } = await serve({ models: modelsOf(model) })
    const stream = await transport.sendMessages(request([user('u1', 'Hello.')]))
    const chunks: UIMessageChunk[] = []
    for await (const chunk of stream as unknown as AsyncIterable<UIMessageChunk>) chunks.push(chunk)
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'the answer could not be made' })
    expect(JSON.stringify(chunks)).not.toContain('secret')
    await expect(transport.sendMessages(request([], { messages: [] }))).rejects.toThrow('must not be empty')
  })
})

const onWire = (prompt: unknown): unknown => JSON.parse(JSON.stringify(prompt))

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
} as const

const speaking = () =>
  new MockLanguageModelV3({
    modelId: 'gpt-4o',
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Hello.' },
          { type: 'text-end', id: '1' },
          finish,
        ],
        chunkDelayInMs: null,
        initialDelayInMs: null,
      }),
    }),
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Hello.' }],
      finishReason: finish.finishReason,
      usage: finish.usage,
      warnings: [],
    }),
  })

const long = Array.from({ length: 60 }, (_, i) => ({
  role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Message ${i}: ${'words '.repeat(60)}`,
}))

describe('the models of the SDK', () => {
  test('get a window before each step', async () => {
    const model = speaking()
    const receipts: unknown[] = []
    const step = prepareStep({ budget: 4_000, onReceipt: (receipt) => receipts.push(receipt) })
    const messages = [...long, { role: 'user' as const, content: 'And now?' }]
    const result = streamText({ model, system: 'Be brief.', messages, prepareStep: step })
    expect(await result.text).toBe('Hello.')
    const prompt = model.doStreamCalls[0]?.prompt ?? []
    expect(prompt.length).toBeLessThan(messages.length)
    expect(prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' })
    expect(prompt.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'And now?' }] })
    expect(check('ai-sdk', onWire(prompt))).toEqual([])
    expect(receipts).toHaveLength(1)
  })

  test('tell the receipt of the window with the answer', async () => {
    const inner = speaking()
    const model = wrapLanguageModel({ model: inner, middleware: windowMiddleware({ budget: 4_000 }) })
    const messages = [...long, { role: 'user' as const, content: 'And now?' }]
    const streamed = streamText({ model, messages })
    await streamed.consumeStream()
    const told = [await streamed.providerMetadata, (await generateText({ model, messages })).providerMetadata]
    for (const metadata of told)
      expect(metadata?.throughline?.receipt).toMatchObject({ schema: 'throughline.receipt/1', target: 'ai-sdk' })
    for (const { prompt } of [...inner.doStreamCalls, ...inner.doGenerateCalls]) {
      expect(prompt.length).toBeLessThan(messages.length)
      expect(check('ai-sdk', onWire(prompt))).toEqual([])
    }
  })

  test('keep the messages that fit as they came, with all that is in them', async () => {
    const inner = speaking()
    const model = wrapLanguageModel({ model: inner, middleware: windowMiddleware() })
    const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const messages = [{ role: 'user' as const, content: 'Hello.', providerOptions: cached }]
    await generateText({ model, messages })
    expect(inner.doGenerateCalls[0]?.prompt[0]).toMatchObject({ role: 'user', providerOptions: cached })
  })

  test('go on through the steps of a tool', async () => {
    let calls = 0
    const model = new MockLanguageModelV3({
      modelId: 'gpt-4o',
      doGenerate: async () => ({
        content:
          calls++ < 3
            ? [{ type: 'tool-call', toolCallId: `call_${calls}`, toolName: 'look', input: '{}' }]
            : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: calls <= 3 ? 'tool-calls' : 'stop', raw: undefined },
        usage: finish.usage,
        warnings: [],
      }),
    })
    const look = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: async () => 'word '.repeat(200) })
    const messages = [...long, { role: 'user' as const, content: 'Look around.' }]
    const step = prepareStep({ budget: 3_000 })
    const { text } = await generateText({
      model,
      messages,
      tools: { look },
      stopWhen: stepCountIs(6),
      prepareStep: step,
    })
    expect(text).toBe('Done.')
    expect(model.doGenerateCalls).toHaveLength(4)
    for (const { prompt } of model.doGenerateCalls) expect(check('ai-sdk', onWire(prompt))).toEqual([])
  })

  test('and a store for their messages', async () => {
    const { host } = await serve({})
    const kept = messageStore({ store: host.store })
    const result = streamText({ model: speaking(), prompt: 'Hello.' })
    const original = [user('u1', 'Hello.')]
    const ended = new Promise<UIMessage[]>((resolve) => {
      const stream = result.toUIMessageStream({
        originalMessages: original,
        generateMessageId: () => 'a1',
        onFinish: ({ messages }) => resolve(messages),
      })
      void (async () => {
        for await (const _ of stream as unknown as AsyncIterable<unknown>);
      })()
    })
    const messages = await ended
    await kept.save('c1', messages)
    expect(await kept.load<UIMessage>('c1')).toEqual(JSON.parse(JSON.stringify(messages)))
    expect(await shown()).toEqual(await kept.load('c1'))
  })
})
