import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import { memoryStore } from '../../store/memory/store.js'
import { assistant, codes, saying, stage, talk, user } from '../tasks.fixture.js'
import { collectHistory } from './collect.js'
import { getRelevantThread } from './thread.js'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const file = (...rows: readonly object[]): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'throughline-collect-')), 'session.jsonl')
  writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"type":"assist`)
  return path
}

const at = '2026-01-03T10:00:01.000Z'

test('a transcript of Claude Code becomes the history of a task [S0-49] [C-17]', async () => {
  const said = (id: string, block: object) => ({
    type: 'assistant',
    timestamp: at,
    message: { id, role: 'assistant', content: [block] },
  })
  const heard = (content: unknown, more: object = {}) => ({
    type: 'user',
    timestamp: at,
    message: { role: 'user', content },
    ...more,
  })
  const path = file(
    { type: 'summary', summary: 'Login' },
    heard('Fix the login test'),
    said('m1', { type: 'thinking', thinking: 'hm', signature: 's' }),
    said('m1', { type: 'text', text: 'I will read the file.' }),
    said('m1', { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.ts' } }),
    heard([{ type: 'tool_result', tool_use_id: 't', content: 'expect(true)' }]),
    heard('<system-reminder>be good</system-reminder>'),
    heard('Caveat: not meant', { isMeta: true }),
    heard('from a helper', { isSidechain: true }),
    heard([
      { type: 'text', text: 'See this.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    ]),
  )
  expect(await collectHistory(path)).toEqual([
    { role: 'user', content: 'Fix the login test', timestamp: at },
    { role: 'assistant', content: 'I will read the file.', timestamp: at },
    {
      role: 'user',
      content: 'See this.',
      timestamp: at,
      attachments: [{ type: 'image', mediaType: 'image/png', data: png }],
    },
  ])
  expect(await collectHistory(path, { last: 1 })).toHaveLength(1)
})

test('so does one of Codex, and it can be registered as it is [S0-49] [C-17]', async () => {
  const item = (role: string, text: string) => ({
    timestamp: at,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] },
  })
  const path = file(
    { timestamp: at, type: 'session_meta', payload: { id: 'x' } },
    item('developer', 'You are Codex.'),
    item('user', '<environment_context>linux</environment_context>'),
    item('user', 'list files'),
    { timestamp: at, type: 'event_msg', payload: { type: 'user_message', message: 'list files' } },
    {
      timestamp: at,
      type: 'response_item',
      payload: { type: 'function_call', name: 'ls', arguments: '{}', call_id: 'c' },
    },
    item('assistant', 'a.ts and b.ts'),
  )
  const conversation_history = await collectHistory(path)
  expect(conversation_history).toEqual([
    { role: 'user', content: 'list files', timestamp: at },
    { role: 'assistant', content: 'a.ts and b.ts', timestamp: at },
  ])
  const { tasks } = stage()
  const { task, warnings } = await tasks.register({ description: 'List them', conversation_history })
  expect([task.conversation_messages_count, warnings]).toEqual([2, []])
})

test('so do a stored conversation and messages of any dialect; where nothing was said there is no history [S0-49] [C-17]', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'c' })
  await history.append([user('hello'), assistant('hi')])
  const collected = await collectHistory({ store, conversation: 'c' })
  expect(collected?.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hello'],
    ['assistant', 'hi'],
  ])
  expect(
    await collectHistory([
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
    ]),
  ).toEqual([{ role: 'user', content: 'x' }])
  expect(await collectHistory([{ role: 'system', content: 'be kind' }])).toBeUndefined()
  const path = file({ role: 'user', content: 'x' })
  writeFileSync(path, 'no json\n{"role":"user","content":"x"}')
  await expect(collectHistory(path)).rejects.toThrow('line 1 of the transcript is no JSON')
})

test('compress: "model" says a long message in fewer words instead of cutting it [S0-F1] [C-14]', async () => {
  const long = `The problem is in user_dashboard.py. ${'Each user triggers separate queries. '.repeat(20)}`
  const input = { conversation_history: [user('Make it fast'), assistant(long)], compress: 'model' as const }
  const model = talk(input, saying('1: N+1 queries in user_dashboard.py; use prefetch_related'))
  const { history, warnings, task } = await model.made()
  expect(history).toContain(
    `N+1 queries in user_dashboard.py; use prefetch_related (summarised, original: ${long.length} chars)`,
  )
  expect(history).not.toContain('[TRUNCATED]')
  expect(warnings).toEqual([])
  const { task_context } = (await model.tasks.get(task.id)) ?? {}
  expect(task_context?.conversation_history).toMatchObject({
    truncated_count: 0,
    messages: [{}, { truncated: false, original_length: long.length }],
  })
  const failed = await talk(input, saying('I cannot do that.')).made()
  expect(failed.history).toContain(`${long.slice(0, 150)} ... (truncated)`)
  expect(codes(failed.warnings)).toEqual(['task.compress'])
})

test('a thread can be asked for by the name that specification 0 gives the threshold [S0-F2]', async () => {
  const messages = [
    user('JWT tokens for the login page'),
    assistant('yes'),
    user('And the footer?'),
    assistant('blue'),
    user('Start'),
  ]
  const { history } = await talk({ conversation_history: messages, thread: { max_relevance_score: 0.7 } }).made()
  expect(history).not.toContain('footer')
  const texts = getRelevantThread(messages, 'Add JWT tokens to the login page', { max_relevance_score: 0.7 })
  expect(texts.map(({ content }) => content)).toEqual(['JWT tokens for the login page', 'yes', 'Start'])
})
