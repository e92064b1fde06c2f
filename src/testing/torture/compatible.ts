import type { CheckContext } from '../../core/rules/scope.js'
import { png } from './pictures.js'
import type { Row } from './rows.js'

type Body = Readonly<Record<string, unknown>>

const row = (code: string, rule: string, context: CheckContext, bad: unknown, good: unknown): Row => ({
  code,
  rule,
  target: 'openai-chat',
  context,
  bad,
  good,
})
const items = (code: string, rule: string, context: CheckContext, bad: unknown, good: unknown): Row => ({
  ...row(code, rule, context, bad, good),
  target: 'openai-responses',
})
const user = { role: 'user', content: 'So?' }
const system = { role: 'system', content: 'Be brief.' }
const said = (more: Body = {}): Body => ({ role: 'assistant', content: 'Rain.', ...more })
const called = (id = 'abcdefgh1', more: Body = {}): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
  ...more,
})
const answer = (id = 'abcdefgh1'): Body => ({ role: 'tool', tool_call_id: id, content: 'Rain' })
const tools = [{ type: 'function', function: { name: 'look' } }]
const messages = (...list: readonly unknown[]): Body => ({ messages: list })
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png()}` } }
const images = (count: number): Body => ({ role: 'user', content: Array(count).fill(image) })
const reasoned = { reasoning_content: 'Hm.' }
const call = (id: string): Body => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })
const output = (id: string): Body => ({ type: 'function_call_output', call_id: id, output: 'Rain' })
const reply = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Rain.' }] }
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbA==' }

const deepseek = { model: 'deepseek-v4' }
const kimi = { model: 'kimi-k2.6' }
const mistral = { model: 'mistral-large-latest' }
const qwen = { model: 'qwen3.6-32b' }

export const compatibleRows: readonly Row[] = [
  row(
    'D-01',
    'deepseek.reasoning',
    deepseek,
    messages(user, called(), answer()),
    messages(user, called(undefined, reasoned), answer()),
  ),
  row(
    'D-03',
    'deepseek.choice',
    deepseek,
    { ...messages(user), tools, tool_choice: 'required' },
    { ...messages(user), tools, tool_choice: 'auto' },
  ),
  items(
    'D-04',
    'deepseek.apart',
    deepseek,
    { input: [user, call('a'), call('b'), output('a'), output('b')] },
    { input: [user, call('a'), output('a'), call('b'), output('b')] },
  ),
  row(
    'K-01',
    'kimi.reasoning',
    kimi,
    messages(user, called(undefined, { reasoning_content: '' }), answer()),
    messages(user, called(undefined, { reasoning_content: '.' }), answer()),
  ),
  row(
    'K-02',
    'kimi.effort',
    kimi,
    { ...messages(user), thinking: { type: 'enabled' }, reasoning_effort: 'low' },
    { ...messages(user), reasoning_effort: 'low' },
  ),
  row(
    'K-03',
    'kimi.keep',
    { ...kimi, losses: true },
    { ...messages(user, said(reasoned), user), thinking: { type: 'enabled' } },
    { ...messages(user, said(reasoned), user), thinking: { type: 'enabled', keep: 'all' } },
  ),
  row('M-01', 'mistral.extra', mistral, messages(user, said(reasoned), user), messages(user, said(), user)),
  row(
    'M-02',
    'mistral.id',
    mistral,
    messages(user, called('call_1'), answer('call_1')),
    messages(user, called(), answer()),
  ),
  row(
    'M-03',
    'mistral.order',
    mistral,
    messages(user, called(), answer(), user),
    messages(user, called(), answer(), said(), user),
  ),
  row('M-04', 'mistral.last', mistral, messages(user, said()), messages(user, said(), user)),
  row('V-03', 'llamacpp.prefill', { profile: 'llama.cpp' }, messages(user, said()), messages(user, said(), user)),
  row('V-04', 'llamacpp.last', { profile: 'ollama' }, messages(user, said(), said()), messages(user, said(), user)),
  row('Q-01', 'qwen.system', qwen, messages(user, system, user), messages(system, user)),
  row('Q-01', 'qwen.system', qwen, messages(system, system, user), messages(system, user)),
  row(
    'Q-02',
    'qwen.choice',
    { profile: 'dashscope' },
    { ...messages(user), tools, tool_choice: 'required' },
    { ...messages(user), tools, tool_choice: 'auto' },
  ),
  row('Q-03', 'qwen.user', { profile: 'dashscope' }, messages(called(), answer()), messages(user, called(), answer())),
  row('V-01', 'strict.roles', { profile: 'strict' }, messages(user, user), messages(user, said(), user)),
  row('V-01', 'strict.roles', { profile: 'strict' }, messages(system, user), messages(user)),
  row('V-02', 'vllm.images', { profile: 'vllm' }, messages(images(2)), messages(images(1))),
  row('V-05', 'ollama.tools', { model: 'ollama/gemma2' }, { ...messages(user), tools }, messages(user)),
  row(
    'X-01',
    'groq.extra',
    { profile: 'groq' },
    messages(user, said({ reasoning: 'Hm.' }), user),
    messages(user, said(), user),
  ),
  row(
    'X-02',
    'lmstudio.image',
    { profile: 'lmstudio' },
    messages(user, called(), { ...answer(), content: [image] }),
    messages(user, called(), answer()),
  ),
  items(
    'X-03',
    'copilot.reasoning',
    { profile: 'copilot' },
    { input: [user, thought, reply, user] },
    { input: [user, reply, user] },
  ),
  items(
    'X-04',
    'llamacpp.reasoning',
    { profile: 'llama.cpp' },
    { input: [user, thought, reply, user] },
    { input: [user, reply, user] },
  ),
]
