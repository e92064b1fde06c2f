import { type Extra, gif, type JudgeCase, jpeg, png, type Told, times, webp } from './judge.fixture.js'
import { issue } from './ledger.js'
import type { JudgeRequest } from './scope.js'

const send = (messages: readonly unknown[], extra: Extra = {}, told: Told = {}): JudgeRequest => ({
  provider: 'anthropic',
  ...told,
  body: { model: 'claude-sonnet-4-5', max_tokens: 4096, messages, ...extra },
})
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const text = (value: string, extra: Extra = {}) => ({ type: 'text', text: value, ...extra })
const call = (id = 'toolu_01A', name = 'get_weather', extra: Extra = {}) => ({
  type: 'tool_use',
  id,
  name,
  input: { city: 'Oslo' },
  ...extra,
})
const result = (id = 'toolu_01A', content: unknown = '4 degrees, rain', extra: Extra = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...extra,
})
const thought = (signature: unknown = 'c2lnbmVk', thinking = 'The user asks about Oslo.') => ({
  type: 'thinking',
  thinking,
  signature,
})
const image = (data = png(200, 100), media = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: media, data },
})
const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const tools = [weather]
const ask = user(text('How is the weather in Oslo?'))
const hello = { role: 'user', content: 'Hello, Claude' }
const loop = (...content: unknown[]) => [ask, assistant(...content), user(result())]
const manual = { thinking: { type: 'enabled', budget_tokens: 2048 } }
const adaptive = { thinking: { type: 'adaptive' } }
const cached = { cache_control: { type: 'ephemeral' } }
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const searched = (id = 'srvtoolu_01B') => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'Oslo weather' },
})
const hits = (id = 'srvtoolu_01B') => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [{ type: 'web_search_result', url: 'https://example.org', title: 'Weather', encrypted_content: 'ZW5j' }],
})
const webSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 }
const bound = 'claude-fable-5-1'

const asked = send([ask], { model: bound, tools, ...adaptive })
const reply = [thought('Ym91bmQx'), call()]
const issued = issue(asked, reply)
const second = send([ask, assistant(...reply), user(result())], { model: bound, tools, ...adaptive })
const reply2 = [thought('Ym91bmQy'), call('toolu_02', 'get_weather')]
const both = [...issued, ...issue(second, reply2)]
const again = [ask, assistant(...reply), user(result()), assistant(...reply2), user(result('toolu_02'))]
const follow = (messages: readonly unknown[], extra: Extra = {}, told: Told = {}) =>
  send(messages, { model: bound, tools, ...adaptive, ...extra }, { issued: both, ...told })

const c = (rule: string, says: string, bad: JudgeRequest, good: JudgeRequest): JudgeCase => ({ rule, says, bad, good })

export const claudeCases: readonly JudgeCase[] = [
  c('A-required', 'max_tokens: Field required', send([hello], { max_tokens: undefined }), send([hello])),
  c('A-required', 'at least one message', send([]), send([hello])),
  c('A-roles', "should be 'user' or 'assistant'", send([hello, { role: 'tool', content: 'x' }]), send([hello, hello])),
  c(
    'A-12',
    "role 'system' is not supported on this model",
    send([hello, { role: 'system', content: 'Be brief.' }], { model: 'claude-opus-4-7' }),
    send([hello, { role: 'system', content: 'Be brief.' }], { model: 'claude-opus-4-8' }),
  ),
  c(
    'A-12',
    "must precede an 'assistant' message",
    send([hello, { role: 'system', content: 'Be brief.' }, hello], { model: 'claude-opus-4-8' }),
    send([hello, { role: 'system', content: 'Be brief.' }, assistant(text('Yes.')), hello], {
      model: 'claude-opus-4-8',
    }),
  ),
  c(
    'A-first',
    'first message must use the "user" role',
    send([assistant(text('Hi')), hello]),
    send([hello, assistant(text('Hi')), hello]),
  ),
  c(
    'A-11',
    'does not support assistant message prefill',
    send([hello, assistant(text('Hi'))], { model: 'claude-opus-4-6' }),
    send([hello, assistant(text('Hi'))]),
  ),
  c(
    'A-trailing',
    'trailing whitespace',
    send([hello, assistant(text('Answer: '))]),
    send([hello, assistant(text('Answer:'))]),
  ),
  c(
    'A-empty',
    'all messages must have non-empty content',
    send([hello, { role: 'assistant', content: [] }, hello]),
    send([hello, { role: 'assistant', content: [] }]),
  ),
  c('A-blank', 'must be non-empty', send([user(text(''), text('b'))]), send([user(text('a'), text('b'))])),
  c('A-blank', 'non-whitespace', send([user(text(' \n'))]), send([user(text(' a\n'))])),
  c(
    'A-blank',
    'system: text content blocks',
    send([hello], { system: [text('')] }),
    send([hello], { system: [text('Be kind.')] }),
  ),
  c(
    'A-unanswered',
    'ids were found without `tool_result` blocks',
    send([ask, assistant(call()), hello], { tools }),
    send([ask, assistant(call()), user(result(), text('and?'))], { tools }),
  ),
  c(
    'A-unanswered',
    'immediately after',
    send([ask, assistant(call()), user(text('here'), result())], { tools }),
    send([ask, assistant(call()), user(result(), text('here'))], { tools }),
  ),
  c(
    'A-unanswered',
    'toolu_02',
    send([ask, assistant(call(), call('toolu_02')), user(result())], { tools }),
    send([ask, assistant(call(), call('toolu_02')), user(result('toolu_02'), result())], { tools }),
  ),
  c(
    'A-orphan',
    'unexpected `tool_use_id` found in `tool_result`',
    send([user(result())]),
    send([ask, assistant(call()), user(result())]),
  ),
  c(
    'A-twice-answered',
    'must have a single result',
    send([ask, assistant(call()), user(result(), result())]),
    send([ask, assistant(call()), user(result())]),
  ),
  c(
    'A-unique',
    'ids must be unique',
    send([...loop(call()), assistant(call()), user(result())], { tools }),
    send([...loop(call()), assistant(call('toolu_02')), user(result('toolu_02'))], { tools }),
  ),
  c(
    'A-13',
    'must have a corresponding `server_tool_use` block before it',
    send([ask, assistant(text('Found.'), hits()), hello]),
    send([ask, assistant(searched(), hits(), text('Found.')), hello]),
  ),
  c(
    'A-13',
    '`mcp_tool_use` block before it',
    send([ask, assistant({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [] }), hello]),
    send([
      ask,
      assistant(
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'look', server_name: 's', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [] },
      ),
      hello,
    ]),
  ),
  c(
    'A-14',
    "'^srvtoolu_[a-zA-Z0-9_]+$'",
    send([ask, assistant(searched('ws_1'), hits('ws_1')), hello]),
    send([ask, assistant(searched(), hits()), hello]),
  ),
  c(
    'A-15',
    'without a corresponding `web_search_tool_result`',
    send([ask, assistant(searched(), text('So')), hello]),
    send([ask, assistant(searched())], { model: 'claude-opus-4-7' }),
  ),
  c(
    'A-16',
    "all content must be type 'text' if 'is_error' is true",
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('failed'), image()], { is_error: true }))]),
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('failed'), image()]))]),
  ),
  c(
    'A-media',
    "media_type: Input should be 'image/jpeg'",
    send([user(image(png(1, 1), 'image/bmp'))]),
    send([user(image())]),
  ),
  c(
    'A-17',
    'appears to be a image/png image',
    send([user(image(png(9, 9), 'image/jpeg'))]),
    send([user(image(jpeg(9, 9), 'image/jpeg'))]),
  ),
  c(
    'A-17',
    'Could not process image',
    send([user(image('bm90IGEgcGljdHVyZQ=='))]),
    send([user(image(gif(9, 9), 'image/gif'), image(webp(9, 9), 'image/webp'))]),
  ),
  c(
    'A-18',
    'many-image requests: 2000 pixels',
    send([user(...times(20, () => image()), image(png(2001, 10)))]),
    send([user(...times(19, () => image()), image(png(2001, 10)))]),
  ),
  c(
    'A-18',
    'many-image requests',
    send([user(image(jpeg(10, 2400), 'image/jpeg')), ...times(20, () => user(image()))]),
    send([user(image(jpeg(10, 2000), 'image/jpeg')), ...times(20, () => user(image()))]),
  ),
  c(
    'A-19',
    'max allowed size: 8000 pixels',
    send([user(image(webp(9000, 10), 'image/webp'))]),
    send([user(image(webp(8000, 10), 'image/webp'))]),
  ),
  c(
    'A-20',
    'Too much media',
    send([user(...times(101, () => image()))]),
    send([user(...times(101, () => image()))], { model: 'claude-opus-4-7' }),
  ),
  c(
    'A-21',
    'image exceeds 5 MB maximum',
    send([user(image(png(9, 9, 3_940_000)))]),
    send([user(image(png(9, 9, 3_900_000)))]),
  ),
  c(
    'A-22',
    'Request exceeds the maximum size',
    send([user(text('x'.repeat(33_554_432)))]),
    send([user(text('x'.repeat(33_000_000)))]),
  ),
  c(
    'A-23',
    "Tool reference 'gone' not found in available tools",
    send([ask, assistant(call()), user(result('toolu_01A', [{ type: 'tool_reference', tool_name: 'gone' }]))], {
      tools,
    }),
    send([ask, assistant(call()), user(result('toolu_01A', [{ type: 'tool_reference', tool_name: 'get_weather' }]))], {
      tools,
    }),
  ),
  c(
    'A-24',
    'text.timestamp: Extra inputs are not permitted',
    send([user(text('a', { timestamp: 1 }))]),
    send([user(text('a', { citations: null }))]),
  ),
  c('A-24', 'messages.0.id: Extra inputs', send([{ ...hello, id: 'msg_1' }]), send([hello])),
  c('A-24', 'user: Extra inputs', send([hello], { user: 'u' }), send([hello], { metadata: { user_id: 'u' } })),
  c(
    'A-24-beta',
    'context_management: Extra inputs',
    send([hello], { context_management: { edits: [] } }, { headers: {} }),
    send(
      [hello],
      { context_management: { edits: [] } },
      { headers: { 'anthropic-beta': 'context-management-2025-06-27' } },
    ),
  ),
  c(
    'A-24-beta',
    'block_binding',
    follow(
      [ask],
      { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } },
      { headers: {} },
    ),
    follow(
      [ask],
      { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } },
      { headers: { 'Anthropic-Beta': 'thinking-binding-controls-2026-08-01' } },
    ),
  ),
  c(
    'A-25',
    'oneOf, allOf, or anyOf at the top level',
    send([hello], { tools: [{ name: 'f', input_schema: { type: 'object', oneOf: [] } }] }),
    send([hello], { tools: [{ name: 'f', input_schema: { type: 'object', properties: { a: { oneOf: [] } } } }] }),
  ),
  c(
    'A-25',
    'input_schema.type: Field required',
    send([hello], { tools: [{ name: 'f', input_schema: { properties: {} } }] }),
    send([hello], { tools: [{ name: 'f', input_schema: { type: 'object' } }] }),
  ),
  c(
    'A-26',
    'clear_thinking_20251015` strategy requires',
    send([hello], { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } }),
    send([hello], { context_management: { edits: [{ type: 'clear_thinking_20251015' }] }, ...manual }),
  ),
  c('A-content', 'content: Field required', send([{ role: 'user' }]), send([hello])),
  c(
    'A-block',
    'does not match any of the expected tags',
    send([user({ type: 'input_text', text: 'a' })]),
    send([user(text('a'))]),
  ),
  c(
    'A-place',
    '`image` blocks can only be in `user` messages',
    send([ask, assistant(image(), text('So.')), hello]),
    send([ask, assistant(text('So.')), user(image())]),
  ),
  c(
    'A-place',
    'not permitted in `tool_result`',
    send([ask, assistant(call()), user(result('toolu_01A', [call('toolu_9')]))]),
    send([ask, assistant(call()), user(result('toolu_01A', [text('x')]))]),
  ),
  c(
    'A-fields',
    'tool_use.input: Field required',
    send(loop(call('toolu_01A', 'get_weather', { input: undefined }))),
    send(loop(call())),
  ),
  c(
    'A-fields',
    'valid dictionary',
    send(loop(call('toolu_01A', 'get_weather', { input: '{}' }))),
    send(loop(call('toolu_01A', 'get_weather', { input: {} }))),
  ),
  c(
    'A-id',
    "String should match pattern '^[a-zA-Z0-9_-]+$'",
    send([ask, assistant(call('functions.f:0')), user(result('functions.f:0'))]),
    send([ask, assistant(call('functions-f-0')), user(result('functions-f-0'))]),
  ),
  c(
    'A-name',
    'tool_use.name: String should match',
    send(loop(call('toolu_01A', 'get weather'))),
    send(loop(call('toolu_01A', 'get-weather'))),
  ),
  c(
    'A-name',
    'tools.0.custom.name',
    send([hello], { tools: [{ ...weather, name: 'x'.repeat(129) }] }),
    send([hello], { tools: [{ ...weather, name: 'x'.repeat(128) }] }),
  ),
  c(
    'A-tool-names',
    'Tool names must be unique',
    send([hello], { tools: [weather, weather] }),
    send([hello], { tools: [weather, { ...weather, name: 'other' }] }),
  ),
  c(
    'A-choice',
    'only be specified while providing tools',
    send([hello], { tool_choice: { type: 'auto' } }),
    send([hello], { tool_choice: { type: 'auto' }, tools }),
  ),
  c(
    'A-choice',
    "Tool 'other' not found",
    send([hello], { tool_choice: { type: 'tool', name: 'other' }, tools }),
    send([hello], { tool_choice: { type: 'tool', name: 'get_weather' }, tools }),
  ),
  c(
    'C-01',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('a', cached), text('b', cached)]))], {
      tools: [{ ...weather, ...cached }],
      system: [text('a', cached), text('b', cached)],
    }),
    send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('a', cached), text('b')]))], {
      tools: [{ ...weather, ...cached }],
      system: [text('a', cached), text('b', cached)],
    }),
  ),
  c(
    'C-02',
    "a ttl='1h' cache_control block must not come after a ttl='5m'",
    send([user(text('a', hour))], { system: [text('a', cached)] }),
    send([user(text('a', cached))], { system: [text('a', hour)] }),
  ),
  c(
    'C-02',
    "Input should be '5m' or '1h'",
    send([user(text('a', { cache_control: { type: 'ephemeral', ttl: '2h' } }))]),
    send([user(text('a', hour))]),
  ),
  c(
    'C-03',
    'thinking.cache_control: Extra inputs',
    send([ask, assistant({ ...thought(), ...cached }, text('Rain.')), hello]),
    send([ask, assistant(thought(), text('Rain.', cached)), hello]),
  ),
  c(
    'A-03',
    'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    send(loop(call()), { tools, ...manual }),
    send(loop(thought(), call()), { tools, ...manual }),
  ),
  c(
    'A-03',
    'but found `text`',
    send(loop(text('Let me look.'), call()), { model: 'claude-opus-4-6', tools, ...manual }),
    send(loop(text('Let me look.'), call()), { model: 'claude-opus-4-6', tools, ...adaptive }),
  ),
  c(
    'A-05',
    'in the final position cannot contain `thinking`',
    send(loop(thought(), call()), { tools }),
    send([ask, assistant(thought(), text('Rain.')), hello]),
  ),
  c(
    'A-05',
    'in the final position',
    send(loop(thought(), call()), { tools, model: 'claude-opus-4-8', thinking: { type: 'disabled' } }),
    send(loop(thought(), call()), { tools, model: 'claude-opus-4-8', ...adaptive }),
  ),
  c(
    'A-06',
    'Invalid `signature` in `thinking` block',
    send([ask, assistant(thought('c2ln!'), text('Rain.')), hello]),
    send([ask, assistant(thought('c2ln'), text('Rain.')), hello]),
  ),
  c(
    'A-06',
    'Invalid `signature`',
    follow([ask, assistant(thought('Zm9yZWlnbmVy'), text('Rain.')), hello]),
    follow([ask, assistant(text('Rain.')), hello]),
  ),
  c(
    'A-07',
    'thinking.signature: Field required',
    send([ask, assistant(thought(null), text('Rain.')), hello]),
    send([ask, assistant(thought('c2ln', ''), text('Rain.')), hello]),
  ),
  c(
    'A-08',
    'Thinking may not be enabled when tool_choice forces tool use',
    send([hello], { tools, tool_choice: { type: 'any' }, ...manual }),
    send([hello], { tools, tool_choice: { type: 'auto' }, ...manual }),
  ),
  c(
    'A-08',
    'Thinking may not be enabled',
    send(
      [hello],
      { model: 'claude-opus-4-7', tools, tool_choice: { type: 'any' }, ...adaptive },
      { provider: 'bedrock' },
    ),
    send([hello], { model: 'claude-opus-4-7', tools, tool_choice: { type: 'any' }, ...adaptive }),
  ),
  c(
    'A-09',
    'type "tool" and "any" are not supported for this model',
    send([hello], { model: bound, tools, tool_choice: { type: 'any' } }),
    send([hello], { model: 'claude-opus-5', tools, tool_choice: { type: 'any' } }),
  ),
  c(
    'A-10',
    '"thinking.type.enabled" is not supported',
    send([hello], { model: 'claude-opus-4-7', ...manual }),
    send([hello], { model: 'claude-opus-4-6', ...manual }),
  ),
  c(
    'A-10',
    '"thinking.type.disabled" is not supported',
    send([hello], { model: bound, thinking: { type: 'disabled' } }),
    send([hello], { model: 'claude-opus-5', thinking: { type: 'disabled' } }),
  ),
  c(
    'A-10',
    '`temperature` is deprecated',
    send([hello], { model: 'claude-opus-4-7', temperature: 0 }),
    send([hello], { temperature: 0 }),
  ),
  c(
    'A-budget',
    'greater than or equal to 1024',
    send([hello], { thinking: { type: 'enabled', budget_tokens: 1000 } }),
    send([hello], { thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ),
  c(
    'A-budget',
    '`max_tokens` must be greater than',
    send([hello], { thinking: { type: 'enabled', budget_tokens: 4096 } }),
    send([hello], { thinking: { type: 'enabled', budget_tokens: 4095 } }),
  ),
  c(
    'A-01',
    'The block is bound to a different conversation',
    follow([user(text('A summary, then: how is the weather in Oslo?')), ...again.slice(1)]),
    follow(again),
  ),
  c(
    'A-01',
    'bound to a different',
    follow(again, { tools: [...tools, { ...weather, name: 'other' }] }),
    follow(again, { tools: [...tools, { ...weather, name: 'other', defer_loading: true }] }),
  ),
  c(
    'A-01',
    'bound to a different',
    follow(again, { system: 'Be brief.' }),
    follow(again.map((message, at) => (at === 0 ? user(text('How is the weather in Oslo?', cached)) : message))),
  ),
  c(
    'A-01',
    'bound to a different',
    follow([user(text('Changed')), ...again.slice(1)]),
    follow([user(text('Changed')), ...again.slice(1)], {
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    }),
  ),
  c(
    'A-01',
    'bound to a different',
    follow([ask, assistant(thought('Ym91bmQy'), ...reply), ...again.slice(2)]),
    follow([ask, assistant(call()), ...again.slice(2)]),
  ),
  c(
    'A-04',
    'in the latest assistant message cannot be modified',
    follow([...again.slice(0, 3), assistant({ ...reply2[0], thinking: 'Shortened.' }, reply2[1]), ...again.slice(4)]),
    follow([...again.slice(0, 3), assistant(reply2[1]), ...again.slice(4)]),
  ),
  c(
    'A-04',
    'cannot be modified',
    follow([...again.slice(0, 3), assistant(reply2[1], reply2[0]), ...again.slice(4)]),
    follow(again),
  ),
  c(
    'D-02',
    'content[].thinking',
    send(loop(call()), { model: 'deepseek-v4-pro', tools }, { baseUrl: 'https://api.deepseek.com/anthropic' }),
    send(
      loop(thought(), call()),
      { model: 'deepseek-v4-pro', tools },
      { baseUrl: 'https://api.deepseek.com/anthropic' },
    ),
  ),
  c(
    'BR-01',
    'toolConfig field must be defined',
    send(loop(call()), {}, { provider: 'bedrock' }),
    send(loop(call()), { tools }, { provider: 'bedrock' }),
  ),
  c(
    'BR-02',
    'less than or equal to 64',
    send([hello], { tools: [{ ...weather, name: 'n'.repeat(65) }] }, { provider: 'bedrock' }),
    send([hello], { tools: [{ ...weather, name: 'n'.repeat(64) }] }, { provider: 'bedrock' }),
  ),
  c('BR-alternate', 'roles must alternate', send([hello, hello], {}, { provider: 'bedrock' }), send([hello, hello])),
  c(
    'BR-03-images',
    '21 > 20',
    send([user(...times(21, () => image()))], {}, { provider: 'bedrock' }),
    send([user(...times(20, () => image()))], {}, { provider: 'bedrock' }),
  ),
  c(
    'BR-03-documents',
    'A text block is required',
    send(
      [user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } })],
      {},
      { provider: 'bedrock' },
    ),
    send(
      [user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } }, text('Read.'))],
      {},
      { provider: 'bedrock' },
    ),
  ),
  c(
    'BR-03-source',
    'URL sources are not supported',
    send(
      [user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } })],
      {},
      { provider: 'bedrock' },
    ),
    send([user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } })]),
  ),
]

/** Bodies in the shape of the examples of the SDK and the guides, in words of our own. */
export const claudeGood: readonly JudgeRequest[] = [
  send([hello]),
  send([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi, how can I help?' },
    { role: 'user', content: 'Explain tides.' },
  ]),
  send([user(text('What is in this picture?'), image())]),
  send([user(image(jpeg(640, 480), 'image/jpeg'), text('Compare'), image(webp(640, 480), 'image/webp'))]),
  send([user({ type: 'image', source: { type: 'url', url: 'https://example.org/ant.jpg' } }, text('Describe.'))]),
  send([user({ type: 'image', source: { type: 'file', file_id: 'file_011' } }, text('Describe.'))]),
  send([
    user(
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' } },
      text('Summarise.'),
    ),
  ]),
  send([
    user(
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'The grass is green.' },
        title: 'Facts',
        citations: { enabled: true },
      },
      text('What colour?'),
    ),
  ]),
  send([
    user(
      {
        type: 'search_result',
        source: 'https://example.org',
        title: 'Guide',
        content: [text('Limits')],
        citations: { enabled: true },
      },
      text('Which limits?'),
    ),
  ]),
  send([hello], { system: 'You are a pirate.' }),
  send([hello], { system: [text('You are a lawyer.'), text('The contract …', cached)] }),
  send([ask], { tools }),
  send([ask], { tools, tool_choice: { type: 'tool', name: 'get_weather' } }),
  send([ask], { tools, tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
  send(loop(text('Let me look.'), call()), { tools }),
  send([ask, assistant(call(), call('toolu_02')), user(result(), result('toolu_02'))], { tools }),
  send([ask, assistant(call(), call('toolu_02')), user(result()), user(result('toolu_02'))], { tools }),
  send([...loop(call()).slice(0, 2), user(result('toolu_01A', 'ConnectionError', { is_error: true }))], { tools }),
  send([...loop(call()).slice(0, 2), user(result('toolu_01A', [text('15'), image(jpeg(9, 9), 'image/jpeg')]))], {
    tools,
  }),
  send([...loop(call()).slice(0, 2), user({ type: 'tool_result', tool_use_id: 'toolu_01A' })], { tools }),
  send(loop(call())),
  send([...loop(call()), assistant(text('4 degrees.')), user(text('And tomorrow?'))], { tools }),
  send([ask], { tools: [{ ...weather, ...hour }], system: [text('a', hour), text('b', cached)] }),
  send([ask], {
    tools: [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ],
  }),
  send([ask], { tools: [webSearch] }),
  send(
    [
      ask,
      assistant(
        searched(),
        hits(),
        text('Rain.', {
          citations: [
            {
              type: 'web_search_result_location',
              url: 'https://example.org',
              title: 'W',
              encrypted_index: 'aQ',
              cited_text: 'Rain',
            },
          ],
        }),
      ),
      user(text('Thanks')),
    ],
    { tools: [webSearch] },
  ),
  send([ask, assistant(searched())], { tools: [webSearch], model: 'claude-opus-4-7' }),
  send(
    [ask],
    { mcp_servers: [{ type: 'url', url: 'https://example.org/mcp', name: 'm' }] },
    { headers: { 'anthropic-beta': 'mcp-client-2025-11-20' } },
  ),
  send([hello], { ...manual, model: 'claude-3-7-sonnet-20250219' }),
  send([hello], { ...manual, model: 'claude-sonnet-4-20250514' }),
  send([ask, assistant(thought(), text('Rain.')), user(text('Sure?'))], manual),
  send(
    [
      ask,
      assistant({ type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' }, thought(), text('Rain.')),
      user(text('Sure?')),
    ],
    manual,
  ),
  send(loop(thought(), text('Let me look.'), call()), { tools, ...manual }),
  send(loop({ type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' }, call()), { tools, ...manual }),
  send([...loop(thought(), call()), assistant(thought('c2lnbmVkMg=='), call('toolu_02')), user(result('toolu_02'))], {
    tools,
    ...manual,
  }),
  send([...loop(thought(), call()), assistant(text('4 degrees.')), user(text('And Bergen?'))], { tools, ...manual }),
  send(loop(thought('c2ln', ''), text('Looking.'), thought('c2ln', ''), call()), {
    tools,
    ...adaptive,
    model: 'claude-opus-4-8',
  }),
  send(loop(call()), { tools, ...adaptive, model: 'claude-opus-5' }),
  send([hello], { ...adaptive, model: 'claude-opus-5-5', output_config: { effort: 'high' } }),
  send([hello], { stream: true, stop_sequences: ['END'], metadata: { user_id: 'u' }, top_k: 5, temperature: 0.5 }),
  send([hello, { role: 'assistant', content: 'The best answer is (' }]),
  send([ask, assistant({ type: 'compaction', content: 'Earlier: greetings.' }), user(text('Go on'))], {
    model: 'claude-opus-4-7',
  }),
  send(
    [
      ask,
      assistant(
        { type: 'server_tool_use', id: 'srvtoolu_02', name: 'tool_search_tool_regex', input: { query: 'weather' } },
        {
          type: 'tool_search_tool_result',
          tool_use_id: 'srvtoolu_02',
          content: {
            type: 'tool_search_tool_search_result',
            tool_references: [{ type: 'tool_reference', tool_name: 'get_weather' }],
          },
        },
        call(),
      ),
      user(result()),
    ],
    {
      tools: [
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
        { ...weather, defer_loading: true },
      ],
    },
  ),
  send(
    [
      ask,
      assistant(
        { type: 'server_tool_use', id: 'srvtoolu_03', name: 'bash_code_execution', input: { command: 'ls' } },
        {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 'srvtoolu_03',
          content: { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
        },
        text('Empty.'),
      ),
      user(text('ok')),
    ],
    { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
  ),
  follow(again),
  send(
    loop(call()),
    { tools, anthropic_version: 'bedrock-2023-05-31', model: undefined },
    { provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
  ),
  send([user(text('Look'), image())], { anthropic_version: 'bedrock-2023-05-31' }, { provider: 'bedrock' }),
]
