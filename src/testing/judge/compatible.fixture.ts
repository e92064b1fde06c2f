import {
  answer,
  judged as c,
  call,
  calling,
  chat,
  loop,
  looped,
  picture,
  plain,
  said,
  system,
  tools,
  user,
  weather,
} from './chat.fixture.js'
import { type Extra, type JudgeCase, type Told, times } from './judge.fixture.js'
import type { JudgeProvider, JudgeRequest } from './scope.js'

const at =
  (provider: JudgeProvider, model: string, told: Told = {}) =>
  (messages: readonly unknown[], extra: Extra = {}): JudgeRequest =>
    chat(messages, { model, ...extra }, { provider, ...told })

const deepseek = at('deepseek', 'deepseek-v4-pro')
const mistral = at('mistral', 'mistral-large-latest')
const kimi = at('moonshot', 'kimi-k2.6')
const qwen = at('dashscope', 'qwen3-max')
const vllm = at('vllm', 'Qwen/Qwen3.6-27B')
const gemma = at('vllm', 'google/gemma-2-9b-it')
const seven = at('vllm', 'mistralai/Mistral-7B-Instruct-v0.2')
const llama = at('llama.cpp', 'qwen3-8b')
const ollama = at('ollama', 'llama3.2')
const groq = at('groq', 'llama-4-scout')
const studio = at('lmstudio', 'qwen2.5-vl')
const router = at('openrouter', 'anthropic/claude-sonnet-4.5')
const why = { reasoning_content: 'The user asks about Oslo.' }
const thoughtful = [user(), { ...calling(call()), ...why }, answer()]
const nine = [user(), calling(call('abcDEF123')), answer('abcDEF123')]
const forced = { tools, tool_choice: 'required' }
const two = [said('One.'), said('Two.')]

export const compatibleCases: readonly JudgeCase[] = [
  c(
    'D-01',
    'reasoning_content in the thinking mode must be passed back',
    deepseek(loop, { tools }),
    deepseek(thoughtful, { tools }),
  ),
  c(
    'D-01',
    'must be passed back',
    deepseek([...thoughtful, said('4 degrees.'), user()]),
    deepseek([...thoughtful, said('4 degrees.', why), user('Why?'), said('The sea.'), user()]),
  ),
  c(
    'D-01',
    'must be passed back',
    chat(loop, { model: 'deepseek-reasoner' }),
    chat(loop, { model: 'deepseek-reasoner', thinking: { type: 'disabled' } }),
  ),
  c(
    'D-03',
    'Thinking mode does not support this tool_choice',
    deepseek([user()], forced),
    deepseek([user()], { ...forced, thinking: { type: 'disabled' } }),
  ),
  c('K-01', 'reasoning_content is missing in assistant tool call message', kimi(loop), kimi(thoughtful)),
  c(
    'K-01',
    'reasoning_content is missing',
    kimi([user(), { ...calling(call()), reasoning_content: '' }, answer()]),
    kimi([user(), { ...calling(call()), reasoning_content: '.' }, answer()]),
  ),
  c(
    'K-02',
    "cannot specify both 'thinking' and 'reasoning_effort'",
    kimi([user()], { thinking: { type: 'enabled' }, reasoning_effort: 'low' }),
    kimi([user()], { thinking: { type: 'enabled' } }),
  ),
  c(
    'K-empty',
    "with role 'assistant' must not be empty",
    kimi([user(), said(''), user()]),
    kimi([user(), said('a'), user()]),
  ),
  c(
    'K-name',
    'function name is invalid',
    kimi([user()], { tools: [{ ...weather, function: { name: '1st' } }] }),
    kimi([user()], { tools: [{ ...weather, function: { name: 'first' } }] }),
  ),
  c('M-01', 'extra_forbidden', mistral([user(), said('a', why), user()]), mistral([user(), said('a'), user()])),
  c('M-01', 'extra_forbidden', mistral([user()], { metadata: {} }), mistral([user()], { random_seed: 1 })),
  c('M-02', 'with a length of 9', mistral(loop), mistral(nine)),
  c('M-03', "Unexpected role 'user' after role 'tool'", mistral([...nine, user()]), mistral([...nine, said(), user()])),
  c(
    'M-03',
    "Unexpected role 'system' after role 'assistant'",
    mistral([user(), said(), system(), user()]),
    mistral([system(), user(), said(), user()]),
  ),
  c('M-03', "Unexpected role 'tool' after role 'user'", mistral([user(), answer('abcDEF123')]), mistral(nine)),
  c(
    'M-04',
    'Expected last role User or Tool',
    mistral([user(), said()]),
    mistral([user(), said('Ra', { prefix: true })]),
  ),
  c(
    'M-count',
    'Not the same number of function calls and responses',
    mistral([user(), calling(call('abcDEF123'), call('abcDEF124')), answer('abcDEF123')]),
    mistral([user(), calling(call('abcDEF123'), call('abcDEF124')), answer('abcDEF123'), answer('abcDEF124')]),
  ),
  c(
    'M-empty',
    'must have either content or tool_calls',
    mistral([user(), said(''), user()]),
    mistral([user(), said('a'), user()]),
  ),
  c(
    'M-name',
    'Function name was get weather',
    mistral([user(), calling(call('abcDEF123', 'get weather')), answer('abcDEF123')]),
    mistral(nine),
  ),
  c('Q-01', 'System message must be at the beginning', vllm([user(), system()]), vllm([system(), user()])),
  c(
    'Q-01',
    'System message must be at the beginning',
    vllm([system(), system(), user()]),
    at('vllm', 'Qwen/Qwen2.5-7B')([system(), system(), user()]),
  ),
  c(
    'Q-02',
    'required or object in thinking mode',
    qwen([user()], { ...forced, enable_thinking: true }),
    qwen([user()], forced),
  ),
  c(
    'Q-03-parts',
    'Unexpected item type in content',
    qwen([user([picture()])]),
    at('dashscope', 'qwen3-vl-plus')([user([picture()])]),
  ),
  c('Q-03-user', 'elements with the role of user', qwen([system()]), qwen([system(), user()])),
  c(
    'V-01-roles',
    'Only user and assistant roles',
    gemma([system(), user()]),
    at('vllm', 'google/gemma-3-4b-it')([system(), user()]),
  ),
  c(
    'V-01-roles',
    'Only user and assistant roles',
    at('vllm', 'meta/Llama-2-7b')([user(), said(), user(), said(), system()]),
    at('vllm', 'meta/Llama-2-7b')([system(), user(), said(), user(), said()]),
  ),
  c('V-01-alternate', 'roles must alternate', seven([user(), user()]), seven([user(), said(), user()])),
  c(
    'V-01-alternate',
    'roles must alternate',
    gemma([said(), user()]),
    at('vllm', 'google/gemma-4-9b')([said(), user()]),
  ),
  c(
    'V-02',
    'At most 1 image(s)',
    at('vllm', 'm', { server: { images: 1 } })([user([picture(), picture()])]),
    at('vllm', 'm', { server: { images: 1 } })([user([picture()])]),
  ),
  c(
    'V-03',
    'prefill is incompatible with enable_thinking',
    llama([user(), said('')]),
    llama([user(), said('')], { chat_template_kwargs: { enable_thinking: false } }),
  ),
  c(
    'V-04',
    'Cannot have 2 or more assistant messages at the end',
    ollama([user(), ...two]),
    ollama([user(), ...two, user()]),
  ),
  c(
    'V-05',
    'does not support tools',
    at('ollama', 'm', { server: { tools: false } })([user()], { tools }),
    at('ollama', 'm', { server: { tools: false } })([user()]),
  ),
  c(
    'V-05',
    'does not support thinking',
    at('ollama', 'm', { server: { thinking: false } })([user()], { think: true }),
    at('ollama', 'm', { server: { thinking: false } })([user()], { think: false }),
  ),
  c(
    'V-arguments',
    'Failed to parse tool call arguments',
    vllm([user(), calling(call('call_1', 'f', '{"a":')), answer()]),
    vllm([user(), calling(call('call_1', 'f', '{"a":1}')), answer()]),
  ),
  c(
    'X-01',
    "property 'reasoning' is unsupported",
    groq([user(), said('a', { reasoning: 'b' }), user()]),
    groq([user(), said('a'), user()]),
  ),
  c('X-images', 'up to 5 images', groq([user(times(6, () => picture()))]), groq([user(times(5, () => picture()))])),
  c(
    'X-02',
    "Invalid 'messages' in payload",
    studio([user(), calling(call()), answer('call_1', [picture()])]),
    studio([...loop, user([picture()])]),
  ),
]

const ids = (index: number) => `abcDEF12${index}`
const hosts: readonly (readonly [host: ReturnType<typeof at>, extra: Extra])[] = [
  [deepseek, why],
  [at('deepseek', 'deepseek-chat'), {}],
  [mistral, {}],
  [kimi, why],
  [at('moonshot', 'kimi-k2-0905-preview'), {}],
  [qwen, {}],
  [vllm, {}],
  [llama, {}],
  [ollama, {}],
  [groq, {}],
  [studio, {}],
  [router, { reasoning_details: [] }],
]

/** The same conversations, as each host's own guide writes them. */
export const compatibleGood: readonly JudgeRequest[] = [
  ...hosts.flatMap(([host, extra]) => [
    ...plain.map((messages) => host(messages)),
    ...looped(ids, extra).map((messages) => host(messages, { tools })),
  ]),
  ...[gemma, seven].flatMap((host) => [host([user()]), host([user(), said(), user('Sure?')])]),
  chat([user()], { model: 'mistral-small' }, { baseUrl: 'https://api.mistral.ai/v1' }),
  chat(loop, { model: 'mistralai/mistral-large' }, { baseUrl: 'https://openrouter.ai/api/v1' }),
  ollama([user(), user(), answer('nobody'), said()]),
]
