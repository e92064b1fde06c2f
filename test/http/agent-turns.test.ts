import { describe, expect, test } from 'vitest'
import type { ModelEvent, ModelRequest } from '../../src/models/wire/contract.js'
import type { Tool } from '../../src/runs/tools/tool.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { startService } from './host.js'
import { modelsOf } from './live-models.js'

const calls = (...names: readonly (readonly [name: string, input: unknown])[]): readonly ModelEvent[] => [
  ...names.map(([name, input], i): ModelEvent => ({ type: 'call', id: `${name}-${i}`, name, input })),
  { type: 'finish', reason: 'calls', usage: { input: 10, output: 2 } },
]

/** What the model was given, as text. */
const seen = ({ items }: ModelRequest): string =>
  items
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)))
    .join('\n')

const source = `${'export const line = 1\n'.repeat(60)}export function buildPromptWithHistory() {}`
const tools: Record<string, Tool> = {
  Grep: { description: 'Finds text', parameters: { type: 'object' }, execute: () => 'client.ts\nstreaming.ts' },
  Read: { description: 'Reads a file', parameters: { type: 'object' }, execute: () => source },
}

async function agentService(script: Parameters<typeof scriptedModel>[0]) {
  const model = scriptedModel(script)
  const host = await startService({ models: modelsOf(model), tools })
  const chat = async (message: string) => {
    const { status, body } = await host.call('POST', '/chat', {
      body: { session_id: 'dashboard', message, policy: 'agent-turns' },
    })
    expect(status).toBe(200)
    return body.response as string
  }
  return { ...host, model, chat }
}

describe('specification 3 as a service: an agent with tools', () => {
  test('usage example 1: a follow-up is answered with what the tools found before [S3-1] [S3-3] [S3-15]', async () => {
    const service = await agentService([
      calls(['Grep', { pattern: 'query' }], ['Read', { path: 'client.ts' }]),
      'client.ts and streaming.ts handle agent queries.',
      (request) => {
        const before = seen(request)
        expect(before).toContain('[Used tool: Grep]')
        expect(before).toContain('[Tool result: client.ts\nstreaming.ts]')
        return before.includes('client.ts and streaming.ts handle')
          ? 'By buildPromptWithHistory() in history.ts.'
          : 'What files?'
      },
    ])
    expect(await service.chat('What files handle agent queries?')).toBe(
      'client.ts and streaming.ts handle agent queries.',
    )
    expect(await service.chat('How is history integrated?')).toBe('By buildPromptWithHistory() in history.ts.')
    await service.stop()
  })

  test('usage example 2: an investigation is remembered when someone asks about the fix [S3-16]', async () => {
    const service = await agentService([
      calls(['Read', { path: 'streaming.ts' }]),
      'The history integration is missing: streaming.ts never fetches it. I have added it.',
      (request) => (seen(request).includes('never fetches it') ? 'Yes, the history is fetched now.' : 'Is what fixed?'),
    ])
    await service.chat("Why isn't the agent remembering my previous messages?")
    expect(await service.chat('Is it fixed now?')).toBe('Yes, the history is fetched now.')
    await service.stop()
  })

  test('regression: a live tool result reaches the model whole, and is folded once its turn is over [S3-8] [S3-12] [C-1]', async () => {
    const service = await agentService([calls(['Read', { path: 'a.ts' }]), 'Read it.', 'Again.'])
    await service.chat('Read a.ts')
    await service.chat('And now?')
    const [, live, over] = service.model.requests as readonly [ModelRequest, ModelRequest, ModelRequest]
    expect(live.items.at(-1)?.parts).toMatchObject([
      { type: 'call', name: 'Read', outcome: { state: 'ok', output: [{ type: 'text', text: source }] } },
    ])
    // nobody said anything that nobody said
    expect(live.items.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(seen(over)).toContain('... [truncated]')
    expect(seen(over)).not.toContain(source)
    expect(over.items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    await service.stop()
  })
})
