import { type Extra, gif, heic, type JudgeCase, jpeg, png, type Told, times, url, webp } from './judge.fixture.js'
import type { JudgeRequest } from './scope.js'

export const chat = (messages: readonly unknown[], extra: Extra = {}, told: Told = {}): JudgeRequest => ({
  provider: 'openai-chat',
  ...told,
  body: { model: 'gpt-4.1', messages, ...extra },
})
export const user = (content: unknown = 'How is the weather in Oslo?') => ({ role: 'user', content })
export const system = (content = 'You are a helpful assistant.') => ({ role: 'system', content })
export const said = (content: unknown = 'Rain.', extra: Extra = {}) => ({ role: 'assistant', content, ...extra })
export const call = (id = 'call_1', name = 'get_weather', args: unknown = '{"city":"Oslo"}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
export const calling = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls })
export const answer = (id = 'call_1', content: unknown = '4 degrees') => ({ role: 'tool', tool_call_id: id, content })
export const picture = (link = url('image/png', png(20, 20))) => ({ type: 'image_url', image_url: { url: link } })
const text = (value = 'What is this?', extra: Extra = {}) => ({ type: 'text', text: value, ...extra })
export const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const tool = (changes: Extra) => [{ type: 'function', function: { ...weather.function, ...changes } }]
export const tools = [weather]
export const loop = [user(), calling(call()), answer()]
export const judged = (rule: string, says: string, bad: JudgeRequest, good: JudgeRequest): JudgeCase => ({
  rule,
  says,
  bad,
  good,
})
const c = judged

export const chatCases: readonly JudgeCase[] = [
  c('chat-required', "Invalid 'messages': empty array", chat([]), chat([user()])),
  c(
    'chat-required',
    'must provide a model',
    chat([user()], { model: undefined }),
    chat([user()], { model: undefined }, { model: 'gpt-4.1' }),
  ),
  c(
    'chat-role',
    "Invalid value: 'model'",
    chat([{ role: 'model', content: 'a' }]),
    chat([{ role: 'developer', content: 'a' }]),
  ),
  c(
    'chat-call',
    "Missing required parameter: 'messages[1].tool_calls[0].type'",
    chat([user(), calling({ ...call(), type: undefined }), answer()]),
    chat(loop),
  ),
  c(
    'chat-call',
    'expected a string',
    chat([user(), calling(call('call_1', 'f', {})), answer()]),
    chat([user(), calling(call('call_1', 'f', '')), answer()]),
  ),
  c(
    'chat-unanswered',
    "must be followed by tool messages responding to each 'tool_call_id'",
    chat([user(), calling(call()), user()]),
    chat([...loop, user()]),
  ),
  c(
    'chat-unanswered',
    'call_2',
    chat([user(), calling(call(), call('call_2')), answer(), user(), answer('call_2')].slice(0, 4)),
    chat([user(), calling(call(), call('call_2')), answer('call_2'), answer()]),
  ),
  c('chat-orphan', 'must be a response to a preceeding message', chat([user(), answer()]), chat(loop)),
  c('chat-orphan', 'must be a response', chat([...loop, user(), answer()]), chat([...loop, user()])),
  c('chat-twice', "Duplicate value for 'tool_call_id' of 'call_1'", chat([...loop, answer()]), chat([...loop, said()])),
  c(
    'chat-unique',
    'duplicate tool_call_id',
    chat([user(), calling(call(), call()), answer()]),
    chat([...loop, calling(call()), answer()]),
  ),
  c(
    'chat-content',
    'expected a string, got null',
    chat([user(), { role: 'assistant' }]),
    chat([user(), calling(call()), answer()]),
  ),
  c('chat-content', 'empty array', chat([user([])]), chat([user([text()])])),
  c(
    'chat-part',
    "Invalid value: 'input_text'",
    chat([user([{ type: 'input_text', text: 'a' }])]),
    chat([user([text('a')])]),
  ),
  c(
    'O-16',
    'does not represent a valid image',
    chat([user([picture('data:image/png;base64,bm9wZQ==')])]),
    chat([user([picture()])]),
  ),
  c(
    'O-16',
    'unsupported image',
    chat([user([picture(url('image/heic', heic()))])]),
    chat([user([picture(url('image/gif', gif(2, 2)))])]),
  ),
  c(
    'O-17',
    "only allowed for messages with role 'user'",
    chat([user(), calling(call()), answer('call_1', [picture()])]),
    chat([user(), calling(call()), answer('call_1', [text('a')]), user([picture()])]),
  ),
  c(
    'chat-empty-calls',
    "Invalid 'messages[1].tool_calls': empty array",
    chat([user(), said('a', { tool_calls: [] })]),
    chat([user(), said('a', { refusal: null })]),
  ),
  c(
    'chat-id',
    'maximum length 40',
    chat([user(), calling(call('c'.repeat(41))), answer('c'.repeat(41))]),
    chat([user(), calling(call('c'.repeat(40))), answer('c'.repeat(40))]),
  ),
  c(
    'chat-name',
    'does not match pattern',
    chat([user(), calling(call('call_1', 'get weather')), answer()]),
    chat([user(), calling(call('call_1', 'get-weather')), answer()]),
  ),
  c('chat-name', "messages[0].name'", chat([{ ...user(), name: 'Ann Lee' }]), chat([{ ...user(), name: 'Ann' }])),
  c(
    'chat-keys',
    "Unknown parameter: 'messages[1].reasoning_content'",
    chat([user(), said('a', { reasoning_content: 'b' })]),
    chat([user(), said('a', { refusal: null, annotations: [] })]),
  ),
  c('chat-keys', 'cache_control', chat([user([text('a', { cache_control: {} })])]), chat([user([text('a')])])),
  c(
    'O-13',
    "'tools': array too long. Expected an array with maximum length 128",
    chat([user()], { tools: times(129, (at) => tool({ name: `f${at}` })[0]) }),
    chat([user()], { tools: times(128, (at) => tool({ name: `f${at}` })[0]) }),
  ),
  c(
    'O-tool-name',
    "'tools[0].function.name': string too long",
    chat([user()], { tools: tool({ name: 'n'.repeat(65) }) }),
    chat([user()], { tools: tool({ name: 'n'.repeat(64) }) }),
  ),
  c(
    'O-tool-schema',
    "schema must have type 'object'",
    chat([user()], { tools: tool({ parameters: { anyOf: [] } }) }),
    chat([user()], { tools: tool({ parameters: { type: 'object', properties: { a: { anyOf: [] } } } }) }),
  ),
  c(
    'O-tool-schema',
    'array schema missing items',
    chat([user()], { tools: tool({ parameters: { type: 'object', properties: { a: { type: 'array' } } } }) }),
    chat([user()], {
      tools: tool({ parameters: { type: 'object', properties: { a: { type: 'array', items: {} } } } }),
    }),
  ),
  c(
    'O-choice',
    "'tool_choice' is only allowed when 'tools' are specified",
    chat([user()], { tool_choice: 'auto' }),
    chat([user()], { tool_choice: 'auto', tools }),
  ),
  c(
    'O-choice-name',
    "Tool choice 'other' not found",
    chat([user()], { tool_choice: { type: 'function', function: { name: 'other' } }, tools }),
    chat([user()], { tool_choice: { type: 'function', function: { name: 'get_weather' } }, tools }),
  ),
  c(
    'O-14',
    "'messages[1].tool_calls': array too long",
    chat([user(), calling(...times(129, (at) => call(`c${at}`))), ...times(129, (at) => answer(`c${at}`))]),
    chat([user(), calling(...times(128, (at) => call(`c${at}`))), ...times(128, (at) => answer(`c${at}`))]),
  ),
  c(
    'O-15',
    "'messages': array too long. Expected an array with maximum length 2048",
    chat(times(2049, () => user())),
    chat(times(2048, () => user())),
  ),
  c(
    'O-18',
    'Function tools with reasoning_effort are not supported',
    chat([user()], { model: 'gpt-5.4', reasoning_effort: 'low', tools }),
    chat([user()], { model: 'gpt-5.4', reasoning_effort: 'none', tools }),
  ),
  c(
    'O-19-length',
    'maximum length 10485760',
    chat([user('x'.repeat(10_485_761))]),
    chat([user('x'.repeat(10_485_760))]),
  ),
  c(
    'O-19-json',
    "must contain the word 'json'",
    chat([user()], { response_format: { type: 'json_object' } }),
    chat([user('Answer as JSON.')], { response_format: { type: 'json_object' } }),
  ),
]

/** Conversations that every host must take: plain, in a tool loop, and after one. */
export const plain: readonly (readonly unknown[])[] = [
  [user()],
  [system(), user()],
  [user('Hello'), said('Hi!'), user('Explain tides.')],
  [system(), user('Hello'), said('Hi!'), user('Explain tides.'), said('The moon pulls.'), user('And the sun?')],
  [system('Answer in JSON.'), user('List three colours.')],
  [user('Grüße aus Köln 🌧️')],
]
export const looped = (id: (at: number) => string, extra: Extra = {}): readonly (readonly unknown[])[] => {
  const one = { ...calling(call(id(1))), content: '', ...extra }
  const two = { ...calling(call(id(2)), call(id(3), 'get_weather', '{"city":"Bergen"}')), content: '', ...extra }
  const done = said('4 degrees in Oslo.', extra)
  return [
    [user(), one, answer(id(1))],
    [system(), user(), one, answer(id(1)), done, user('And Bergen?')],
    [user('Compare'), two, answer(id(2)), answer(id(3), '6 degrees')],
    [user('Compare'), one, answer(id(1)), two, answer(id(2)), answer(id(3), '6 degrees'), done, user('Thanks')],
  ]
}

/** Bodies in the shape of the examples of openai-node and the cookbook, in words of our own. */
export const chatGood: readonly JudgeRequest[] = [
  ...plain.map((messages) => chat(messages)),
  ...looped((at) => `call_${at}abcdefghijk`).map((messages) => chat(messages, { tools })),
  chat([{ role: 'developer', content: 'Talk like a pirate.' }, user()], { model: 'gpt-5.2', reasoning_effort: 'low' }),
  chat([{ role: 'developer', content: [text('Be brief.')] }, user([text('Hello')])], { model: 'o3-mini' }),
  chat([user([text(), picture('https://example.org/nature.jpg')])]),
  chat([user([text(), picture(url('image/jpeg', jpeg(9, 9))), picture(url('image/webp', webp(9, 9)))])]),
  chat([user([text(), { type: 'image_url', image_url: { url: url('image/png', png(9, 9)), detail: 'low' } }])]),
  chat([user([text('What is said?'), { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }])]),
  chat([user([text('Summarise'), { type: 'file', file: { file_id: 'file-1' } }])]),
  chat([user()], { tools, tool_choice: 'required', parallel_tool_calls: false }),
  chat([user()], { model: 'gpt-5.4', tools }),
  chat([user()], { model: 'gpt-5.4', reasoning_effort: 'high' }),
  chat([user()], { model: 'gpt-5.1', tools, reasoning_effort: 'high' }),
  chat([user()], { tools: [{ type: 'function', function: { name: 'now' } }] }),
  chat([user()], { tools: [{ type: 'custom', custom: { name: 'code' } }] }),
  chat([user(), calling(call()), answer('call_1', '')], { tools }),
  chat([
    user(),
    calling({ id: 'call_9', type: 'custom', custom: { name: 'code', input: 'print(1)' } }),
    answer('call_9'),
  ]),
  chat([user(), said(null, { refusal: 'I cannot help with that.' }), user('Why?')]),
  chat([user(), said([text('Rain.')]), user('Sure?')]),
  chat([user(), said(''), user('Sure?')]),
  chat([user(), user('Hello?'), said(), said('Still rain.'), user('Ok')]),
  chat([said('Welcome!'), user('Hi')]),
  chat([user('Name a colour as json')], {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'colour', schema: { type: 'object', properties: {} } },
    },
  }),
  chat([user()], {
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.2,
    store: true,
    metadata: { a: 'b' },
  }),
  chat([user(), said('a', { audio: { id: 'audio_1' }, content: null }), user('More')]),
  chat([
    user(),
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: '1' },
  ]),
]
