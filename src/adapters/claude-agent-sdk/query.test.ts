import { expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import { memoryStore } from '../../store/memory/store.js'
import { createAgentQuery, type SdkMessage } from './query.js'

const said = (id: string, ...content: readonly object[]): SdkMessage => ({
  type: 'assistant',
  message: { id, content },
})
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: `${id}.ts` } })
const result = (id: string, content: string): SdkMessage => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
})

function sdk(messages: readonly SdkMessage[]) {
  const asked: { readonly prompt: string; readonly options?: object }[] = []
  const query = async function* (request: { readonly prompt: string; readonly options?: object }) {
    asked.push(request)
    yield* messages
  }
  return { query, asked }
}

test('a query knows the conversation by its prompt, and keeps what was said and done [C-6] [S3-5] [S3-6] [S3-7] [S3-9]', async () => {
  const conversation = await openHistory({ store: memoryStore() })
  const first = sdk([
    { type: 'system' },
    said('m1', { type: 'thinking', thinking: 'hm' }),
    said('m1', use('a')),
    said('m1', use('b')),
    result('a', 'A'.repeat(60_000)),
    { ...said('m9', { type: 'text', text: 'of a subagent' }), parent_tool_use_id: 'a' },
    result('b', 'B'),
    said('m2', { type: 'text', text: 'client.ts and streaming.ts.' }),
    { type: 'result' },
  ])
  const told: string[] = []
  const prompt = 'What files handle agent queries?'
  const options = { cwd: '.', resume: 'an old session' }
  for await (const { type } of createAgentQuery({ conversation, prompt, options, query: first.query })) told.push(type)
  expect(told).toHaveLength(9)
  // without a history the prompt is the message alone
  expect(first.asked).toEqual([{ prompt, options: { cwd: '.' } }])
  const log = await conversation.path()
  expect(log.map(({ body }) => (body.kind === 'message' ? body.parts.map(({ type }) => type) : body.kind))).toEqual([
    ['text'],
    ['call', 'call'],
    'result',
    'result',
    ['text'],
  ])
  expect(log[2]?.text.endsWith('[truncated for storage]')).toBe(true)
  expect(await conversation.expand(log[2]?.id as string)).toHaveLength(60_000)
  const second = sdk([said('m3', { type: 'text', text: 'By history.ts.' })])
  for await (const _ of createAgentQuery({ conversation, prompt: 'How is history integrated?', query: second.query }));
  const whole = second.asked[0]?.prompt as string
  expect(whole).toMatch(
    /^<conversation_history>\nHuman: What files handle agent queries\?\nAssistant: \[Used tool: Read\]/,
  )
  expect(whole).toContain(`[Tool result: ${'A'.repeat(500)}... [truncated]]`)
  expect(
    whole.endsWith('</conversation_history>\n\nContinue the conversation. The human says:\nHow is history integrated?'),
  ).toBe(true)
})

test('a history that cannot be read is no reason not to ask: the prompt goes alone, with a warning [S3-P7]', async () => {
  const store = memoryStore()
  const conversation = await openHistory({ store })
  await conversation.append('Before')
  const broken = { ...conversation, window: () => Promise.reject(new Error('the database is away')) }
  const { query, asked } = sdk([said('m', { type: 'text', text: 'Hello.' })])
  const warned: unknown[] = []
  for await (const _ of createAgentQuery({
    conversation: broken,
    prompt: 'Hi',
    query,
    warn: (error) => warned.push(error),
  }));
  expect(asked).toEqual([{ prompt: 'Hi' }])
  expect(warned).toHaveLength(1)
})
