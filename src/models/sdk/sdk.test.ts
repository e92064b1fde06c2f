import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { startProvider } from '../../../test/provider/server.js'
import type { Item } from '../../core/message/item.js'
import type { Window } from '../../core/message/window.js'
import { mapper } from './events.js'
import { sdkPrompt } from './prompt.js'
import { anthropic, openai } from './providers.js'

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 5, text: 2, reasoning: 3 },
}
const end: LanguageModelV3StreamPart = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } }

const mapped = (...parts: readonly LanguageModelV3StreamPart[]) => {
  const map = mapper('x/y')
  return parts.flatMap((part) => map(part))
}

describe('events', () => {
  test('several summaries of one item of reasoning are one thought', () => {
    const item = { openai: { itemId: 'rs_1' } }
    const sealed = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } }
    const events = mapped(
      { type: 'reasoning-start', id: 'rs_1:0', providerMetadata: item },
      { type: 'reasoning-delta', id: 'rs_1:0', delta: 'one' },
      { type: 'reasoning-end', id: 'rs_1:0', providerMetadata: item },
      { type: 'reasoning-start', id: 'rs_1:1', providerMetadata: item },
      { type: 'reasoning-delta', id: 'rs_1:1', delta: 'two' },
      { type: 'reasoning-end', id: 'rs_1:1', providerMetadata: sealed },
      { type: 'text-delta', id: '0', delta: 'so' },
      end,
    )
    expect(events.filter(({ type }) => type === 'thought')).toEqual([
      { type: 'thought', part: { type: 'think', text: 'one\n\ntwo', id: 'rs_1', sealed: 'sealed' } },
    ])
    expect(events.map(({ type }) => type)).toEqual(['think', 'think', 'thought', 'text', 'finish'])
  })

  test('reasoning that is only sealed is kept', () => {
    expect(
      mapped(
        { type: 'reasoning-start', id: '0', providerMetadata: { anthropic: { redactedData: 'r' } } },
        { type: 'reasoning-end', id: '0' },
        end,
      )[0],
    ).toEqual({ type: 'thought', part: { type: 'think', text: '', sealed: 'r' } })
  })

  test('a signature on a call becomes a thought before it', () => {
    const events = mapped({
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'look',
      input: '{}',
      providerMetadata: { google: { thoughtSignature: 's' } },
    })
    expect(events).toEqual([
      { type: 'thought', part: { type: 'think', text: '', signature: 's' } },
      { type: 'call-start', id: 'c', name: 'look' },
      { type: 'call', id: 'c', name: 'look', input: {} },
    ])
  })

  test('what is cached and what was thought is counted', () => {
    expect(mapped(end)).toEqual([
      { type: 'finish', reason: 'stop', usage: { input: 10, output: 5, cached: 4, thinking: 3 } },
    ])
  })

  test('arguments that are no JSON are garbled', () => {
    expect(() => mapped({ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"q":' })).toThrow(
      expect.objectContaining({ code: 'garbled' }),
    )
  })
})

describe('prompts', () => {
  const windowOf = (items: readonly Item[], model: string): Window => ({
    items,
    hasCurrent: true,
    model,
    style: { think: 'drop', section: 'plain', escape: true },
  })
  const ask: Item = { role: 'user', parts: [{ type: 'text', text: 'so?' }] }

  test('a signature without a thought goes back on the call it led to', () => {
    const model = 'google/gemini-3-pro'
    const call = {
      type: 'call',
      id: 'c',
      name: 'look',
      input: {},
      outcome: { state: 'ok', output: [{ type: 'text', text: 'A' }] },
    } as const
    const said: Item = { role: 'assistant', model, parts: [{ type: 'think', text: '', signature: 's' }, call] }
    const prompt = sdkPrompt(windowOf([ask, said, ask], model), 'google')
    expect(prompt[1]).toEqual({
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: expect.any(String),
          toolName: 'look',
          input: {},
          providerOptions: { google: { thoughtSignature: 's' } },
        },
      ],
    })
  })

  test('reasoning of another model is not sent', () => {
    const said: Item = {
      role: 'assistant',
      model: 'openai/gpt-5',
      parts: [
        { type: 'think', text: 'hm', signature: 's' },
        { type: 'text', text: 'yes' },
      ],
    }
    const prompt = sdkPrompt(windowOf([ask, said, ask], 'anthropic/claude-sonnet-4-5'), 'anthropic')
    expect(JSON.stringify(prompt)).not.toContain('reasoning')
  })
})

describe('why the stream is watched', () => {
  test.each([
    ['anthropic', 'no terminal event'],
    ['openai', 'no terminal event'],
  ] as const)('the SDK of %s takes an answer with %s for a whole one', async (name, fault) => {
    const provider = await startProvider({ answer: { text: 'Half an answer' }, fault })
    try {
      const account = { apiKey: 'k', baseUrl: `${provider.url}/v1`, api: 'chat' as const }
      const open = name === 'anthropic' ? anthropic : openai
      const model = await open('m', account, globalThis.fetch)
      const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })
      const types: string[] = []
      for await (const part of stream) types.push(part.type)
      expect(types).not.toContain('error')
    } finally {
      await provider.close()
    }
  })
})
