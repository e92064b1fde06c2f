import {
  adaptive,
  again,
  ask,
  assistant,
  cached,
  call,
  follow,
  hello,
  hits,
  hour,
  image,
  loop,
  manual,
  result,
  searched,
  send,
  text,
  thought,
  tools,
  user,
  weather,
  webSearch,
} from './claude.fixture.js'
import { jpeg, webp } from './judge.fixture.js'
import type { JudgeRequest } from './scope.js'

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
  send(loop(thought('c2ln', ''), text('Looking.'), call()), { tools, model: 'claude-sonnet-5' }),
  send(
    [hello],
    {
      model: 'claude-sonnet-5',
      tools: [{ type: 'memory_20250818', name: 'memory' }],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    },
    { headers: { 'anthropic-beta': 'context-management-2025-06-27' } },
  ),
  send([hello], {
    model: 'claude-sonnet-5',
    output_config: {
      format: { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } },
    },
  }),
  send([hello], { model: 'claude-fable-5', fallbacks: [{ model: 'claude-opus-4-8' }] }),
  send(
    loop(call()),
    { tools, anthropic_version: 'bedrock-2023-05-31', model: undefined },
    { provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
  ),
  send([user(text('Look'), image())], { anthropic_version: 'bedrock-2023-05-31' }, { provider: 'bedrock' }),
]
