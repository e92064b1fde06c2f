import { describe, expect, test } from 'vitest'
import type { Target } from '../message/target.js'
import { check } from './check.js'
import type { CheckContext } from './scope.js'

type Body = Readonly<Record<string, unknown>>

interface Taken {
  readonly says: string
  readonly target?: Target
  readonly context?: CheckContext
  readonly body: Body
  /** The same for another model or server, or changed in one place, which is refused by this rule alone. */
  readonly but: { readonly rule: string; readonly context?: CheckContext; readonly body?: Body }
}

const user = (content: unknown = 'So?'): Body => ({ role: 'user', content })
const said = (more: Body = {}): Body => ({ role: 'assistant', content: 'Rain.', ...more })
const called = (more: Body = {}): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'abcdefgh1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  ...more,
})
const answer = { role: 'tool', tool_call_id: 'abcdefgh1', content: 'Rain' }
const messages = (...list: readonly unknown[]): Body => ({ messages: list })
const address = 'https://example.com/a'
const video = messages(user([{ type: 'video_url', video_url: { url: address } }]))
const hosted = { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', tools: [] }

/** Each was once refused here, though the provider's own SDK, or a client's suite, sends it. */
const taken: readonly Taken[] = [
  {
    says: 'an image of Mistral is an address alone',
    context: { profile: 'mistral' },
    body: messages(user([{ type: 'image_url', image_url: address }])),
    but: { rule: 'part.source', context: {} },
  },
  {
    says: 'a document of Mistral is an address, too',
    context: { profile: 'mistral' },
    body: messages(user([{ type: 'document_url', document_url: address }])),
    but: { rule: 'part.type', context: {} },
  },
  {
    says: 'the thinking of Mistral is a part of its message',
    context: { profile: 'mistral' },
    body: messages(user(), { role: 'assistant', content: [{ type: 'thinking', thinking: [] }] }, user()),
    but: { rule: 'part.type', context: {} },
  },
  {
    says: 'Mistral continues what is marked as a beginning',
    context: { profile: 'mistral' },
    body: messages(user(), said({ prefix: true })),
    but: { rule: 'mistral.last', body: messages(user(), said()) },
  },
  {
    says: 'Mistral writes a JSON object without being told the word',
    context: { profile: 'mistral' },
    body: { ...messages(user()), response_format: { type: 'json_object' } },
    but: { rule: 'json.word', context: { profile: 'groq' } },
  },
  { says: 'Kimi sees videos', context: { profile: 'moonshot' }, body: video, but: { rule: 'part.type', context: {} } },
  {
    says: 'a Kimi that does not think has no reasoning to bring back',
    context: { model: 'moonshot-v1-8k' },
    body: messages(user(), called(), answer),
    but: { rule: 'kimi.reasoning', context: { model: 'kimi-k2.6' } },
  },
  {
    says: 'DeepSeek has a field of its own for files',
    context: { profile: 'deepseek' },
    body: messages(user([{ type: 'file', file_id: 'file-1' }])),
    but: { rule: 'part.source', context: {} },
  },
  {
    says: 'DeepSeek wants its reasoning back where there are tools, and nowhere else',
    context: { model: 'deepseek-v4' },
    body: messages(user(), said(), user()),
    but: { rule: 'deepseek.reasoning', body: messages(user(), called(), answer) },
  },
  {
    says: 'DeepSeek takes empty reasoning, but not none',
    context: { model: 'deepseek-v4' },
    body: messages(user(), called({ reasoning_content: '' }), answer, said({ reasoning_content: '' }), user()),
    but: {
      rule: 'deepseek.reasoning',
      body: messages(user(), called({ reasoning_content: '' }), answer, said(), user()),
    },
  },
  {
    says: 'deepseek-chat does not think',
    context: { model: 'deepseek-chat' },
    body: messages(user(), called(), answer),
    but: { rule: 'deepseek.reasoning', body: { ...messages(user(), called(), answer), thinking: { type: 'enabled' } } },
  },
  {
    says: 'a server for many models takes a later system message where the template does',
    context: { model: 'vllm/llama-3.1-8b' },
    body: messages(user(), { role: 'system', content: 'Be brief.' }, user()),
    but: { rule: 'qwen.system', context: { model: 'vllm/qwen3.6' } },
  },
  {
    says: 'OpenAI answers after its own words',
    body: messages(user(), said()),
    but: { rule: 'message.last', context: { losses: true } },
  },
  {
    says: 'what the provider’s own search found has no call of ours',
    target: 'openai-responses',
    body: { input: [user(), hosted] },
    but: { rule: 'tool.id', body: { input: [user(), { ...hosted, execution: 'client' }] } },
  },
  {
    says: 'a request may end with the wish to compact it',
    target: 'openai-responses',
    context: { losses: true },
    body: { input: [user(), { type: 'compaction_trigger' }] },
    but: { rule: 'message.last', body: { input: [user(), { type: 'compaction', id: 'cmp_1' }] } },
  },
  {
    says: 'Claude before 4.6 continues its own message',
    target: 'anthropic',
    body: { model: 'claude-sonnet-4-5', ...messages(user(), said()) },
    but: { rule: 'message.last', body: { model: 'claude-sonnet-4-6', ...messages(user(), said()) } },
  },
  {
    says: 'a tool may be forced on Sonnet 5, and no longer on 5.5',
    target: 'anthropic',
    body: {
      model: 'claude-sonnet-5',
      ...messages(user()),
      tool_choice: { type: 'any' },
      thinking: { type: 'disabled' },
    },
    but: {
      rule: 'choice.forced',
      body: { model: 'claude-sonnet-5-5', ...messages(user()), tool_choice: { type: 'any' } },
    },
  },
  {
    says: 'Claude reads two messages of one role as one',
    target: 'anthropic',
    body: messages(user(), user()),
    but: { rule: 'message.order', context: { losses: true } },
  },
  {
    says: 'Gemini reads two messages of one role as one',
    target: 'google',
    body: { contents: [user(), user()].map(() => ({ role: 'user', parts: [{ text: 'So?' }] })) },
    but: { rule: 'message.order', context: { losses: true } },
  },
  {
    says: 'Gemini takes an empty text of the model, and none of the user',
    target: 'google',
    body: {
      contents: ['So?', '', 'Well?'].map((text, i) => ({ role: i === 1 ? 'model' : 'user', parts: [{ text }] })),
    },
    but: { rule: 'text.blank', body: { contents: [{ role: 'user', parts: [{ text: '' }] }] } },
  },
]

describe('no false alarm', () => {
  test.each(taken)('$says', ({ target = 'openai-chat', context, body, but }) => {
    const rulesIn = (request: Body, known: CheckContext | undefined) =>
      new Set(check(target, request, known).map(({ rule }) => rule))
    expect(rulesIn(body, context)).toEqual(new Set())
    expect(rulesIn(but.body ?? body, but.context ?? context)).toEqual(new Set([but.rule]))
  })
})
