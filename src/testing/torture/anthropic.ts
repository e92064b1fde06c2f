import { prefixHash } from '../../core/profile/prefix.js'
import type { CheckContext } from '../../core/rules/scope.js'
import { gif, jpeg, png } from './pictures.js'
import type { Row } from './rows.js'

type Body = Readonly<Record<string, unknown>>

const target = 'anthropic'
const user = (content: unknown): Body => ({ role: 'user', content })
const assistant = (content: unknown): Body => ({ role: 'assistant', content })
const text = (value: string): Body => ({ type: 'text', text: value })
const think = (signature = 'c2ln', thinking = 'Hm.'): Body => ({ type: 'thinking', thinking, signature })
const use = (id = 'a', name = 'look'): Body => ({ type: 'tool_use', id, name, input: {} })
const result = (content: unknown = 'Rain', id = 'a'): Body => ({ type: 'tool_result', tool_use_id: id, content })
const image = (data = png(), type = 'image/png'): Body => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
})
const pdf: Body = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } }
const tools = [{ name: 'look', input_schema: { type: 'object' } }]
const ask = user('So?')
const old = 'claude-sonnet-4-5'
const recent = 'claude-opus-4-8'
const bound = 'claude-opus-5-5'

const body = (model: string, messages: readonly unknown[], more: Body = {}): Body => ({ model, messages, ...more })
const loop = (model: string, blocks: readonly unknown[], more: Body = {}): Body =>
  body(model, [ask, assistant(blocks), user([result()])], { tools, ...more })
const after = (model: string, blocks: unknown, more: Body = {}): Body =>
  body(model, [user('Hello'), assistant(blocks), ask], more)

const talk = [user('My name is Ada.'), assistant([think('Ym91bmQ='), text('Hello Ada.')]), ask]
const issued = (known: ReturnType<NonNullable<CheckContext['issued']>>): CheckContext => ({ issued: () => known })
const row = (code: string, rule: string, bad: unknown, good: unknown, context?: CheckContext): Row => ({
  code,
  rule,
  target,
  bad,
  good,
  ...(context && { context }),
})
const enabled = { thinking: { type: 'enabled', budget_tokens: 1_024 } }
const many = (count: number, side: number): readonly unknown[] => Array.from({ length: count }, () => image(png(side)))
const point = (ttl?: string): Body => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } })
const long = 'Words that everyone knows. '.repeat(1_000)
const steps = (marks: number): Body =>
  body(
    recent,
    [
      user([{ ...text(long), ...(marks > 0 && point()) }]),
      ...Array.from({ length: 12 }, (_, i) => [
        assistant([use(`c${i}`)]),
        user([{ ...result('Rain', `c${i}`), ...(marks > 1 && i === 11 && point()) }]),
      ]).flat(),
    ],
    { tools },
  )

export const anthropicRows: readonly Row[] = [
  row(
    'A-01',
    'thinking.bound',
    body(bound, [user('My name is Eve.'), ...talk.slice(1)]),
    body(bound, talk),
    issued({ prefix: prefixHash({ messages: talk }, 1) }),
  ),
  row('A-02', 'thinking.unreadable', after(old, [think(), text('Yes.')]), after(recent, [think(), text('Yes.')]), {
    issued: () => ({ model: recent }),
    losses: true,
  }),
  row(
    'A-03',
    'thinking.expected',
    loop(old, [text('Let me look.'), use()], enabled),
    loop(old, [think(), use()], enabled),
  ),
  row(
    'A-04',
    'thinking.modified',
    after(recent, [think('c2ln', 'Hm. Well.'), text('Yes.')]),
    after(recent, [think(), text('Yes.')]),
    {
      issued: () => ({ text: 'Hm.' }),
    },
  ),
  row(
    'A-05',
    'thinking.disabled',
    loop(old, [think(), use()], { thinking: { type: 'disabled' } }),
    loop(old, [use()], { thinking: { type: 'disabled' } }),
  ),
  row(
    'A-06',
    'thinking.signature',
    after(recent, [think('not base64!'), text('Yes.')]),
    after(recent, [think(), text('Yes.')]),
  ),
  row(
    'A-06',
    'thinking.signature',
    after(recent, [think(), text('Yes.')]),
    after(recent, [text('Yes.')]),
    issued(undefined),
  ),
  row(
    'A-07',
    'thinking.shape',
    after(recent, [{ type: 'thinking', thinking: 'Hm.' }, text('Yes.')]),
    after(recent, [think(), text('Yes.')]),
  ),
  row(
    'A-08',
    'choice.thinking',
    body(old, [ask], { tools, tool_choice: { type: 'any' }, ...enabled }),
    body(old, [ask], { tools, tool_choice: { type: 'auto' }, ...enabled }),
  ),
  row(
    'A-09',
    'choice.forced',
    body(bound, [ask], { tools, tool_choice: { type: 'tool', name: 'look' } }),
    body(bound, [ask], { tools, tool_choice: { type: 'auto' } }),
  ),
  row('A-10', 'thinking.mode', body(recent, [ask], enabled), body(recent, [ask], { thinking: { type: 'adaptive' } })),
  row('A-10', 'thinking.mode', body(recent, [ask], { temperature: 0.5 }), body(old, [ask], { temperature: 0.5 })),
  row('A-11', 'message.last', body(recent, [ask, assistant('The answer is')]), body(recent, [ask])),
  row(
    'A-12',
    'message.system',
    body(old, [ask, { role: 'system', content: 'Be brief.' }]),
    body(recent, [ask, { role: 'system', content: 'Be brief.' }]),
  ),
  row(
    'A-12',
    'message.system',
    body(recent, [{ role: 'system', content: 'Be brief.' }, ask]),
    body(recent, [ask], { system: 'Be brief.' }),
  ),
  row(
    'A-13',
    'server.orphan',
    after(recent, [{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }, text('Rain.')]),
    after(recent, [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      text('Rain.'),
    ]),
  ),
  row(
    'A-14',
    'server.id',
    after(recent, [
      { type: 'server_tool_use', id: 'call-1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'call-1', content: [] },
      text('Rain.'),
    ]),
    after(recent, [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      text('Rain.'),
    ]),
  ),
  row(
    'A-15',
    'server.open',
    after(recent, [{ type: 'mcp_tool_use', id: 'mcp_1', name: 'look', server_name: 's', input: {} }, text('Rain.')]),
    after(recent, [
      { type: 'mcp_tool_use', id: 'mcp_1', name: 'look', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'mcp_1', is_error: false, content: [] },
      text('Rain.'),
    ]),
  ),
  row(
    'A-16',
    'tool.result.image',
    body(recent, [ask, assistant([use()]), user([{ ...result([text('Failed'), image()]), is_error: true }])], {
      tools,
    }),
    body(recent, [ask, assistant([use()]), user([{ ...result([text('Failed')]), is_error: true }, image()])], {
      tools,
    }),
  ),
  row(
    'A-17',
    'image.type',
    body(recent, [user([image(png(), 'image/jpeg')])]),
    body(recent, [user([image(jpeg(), 'image/jpeg')])]),
  ),
  row('A-17', 'image.type', body(recent, [user([image('AAAA')])]), body(recent, [user([image(gif(), 'image/gif')])])),
  row('A-18', 'image.side.many', body(recent, [user(many(21, 2_001))]), body(recent, [user(many(20, 2_001))])),
  row('A-19', 'image.side', body(recent, [user([image(png(8_001))])]), body(recent, [user([image(png(8_000))])])),
  row('A-20', 'image.many', body(old, [user(many(101, 8))]), body(recent, [user(many(101, 8))])),
  row(
    'A-21',
    'image.bytes',
    body(recent, [user([image(png() + 'A'.repeat(5_242_880))])]),
    body(recent, [user([image()])]),
  ),
  row(
    'A-22',
    'request.bytes',
    body(recent, [user(Array.from({ length: 9 }, () => image(png() + 'A'.repeat(4_000_000))))]),
    body(recent, [user(Array.from({ length: 3 }, () => image(png() + 'A'.repeat(4_000_000))))]),
  ),
  row(
    'A-23',
    'tool.reference',
    body(recent, [ask, assistant([use()]), user([result([{ type: 'tool_reference', tool_name: 'gone' }])])], { tools }),
    body(recent, [ask, assistant([use()]), user([result([{ type: 'tool_reference', tool_name: 'look' }])])], { tools }),
  ),
  row('A-24', 'block.extra', after(recent, [{ ...text('Yes.'), id: 'msg_1' }]), after(recent, [text('Yes.')])),
  row(
    'A-25',
    'tools.schema',
    body(recent, [ask], { tools: [{ name: 'look', input_schema: { oneOf: [{ type: 'object' }] } }] }),
    body(recent, [ask], { tools }),
  ),
  row(
    'A-26',
    'edits.thinking',
    body(recent, [ask], { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } }),
    body(recent, [ask], {
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
    }),
  ),
  row(
    'C-01',
    'cache.many',
    body(recent, [user(Array.from({ length: 5 }, () => ({ ...text('Hi'), ...point() })))]),
    body(recent, [user(Array.from({ length: 4 }, () => ({ ...text('Hi'), ...point() })))]),
  ),
  row(
    'C-02',
    'cache.order',
    body(recent, [user([{ ...text('Hi'), ...point('1h') }])], { system: [{ ...text('Be brief.'), ...point() }] }),
    body(recent, [user([{ ...text('Hi'), ...point() }])], { system: [{ ...text('Be brief.'), ...point('1h') }] }),
  ),
  row(
    'C-03',
    'cache.place',
    after(recent, [{ ...think(), ...point() }, text('Yes.')]),
    after(recent, [think(), { ...text('Yes.'), ...point() }]),
  ),
  row(
    'C-04',
    'cache.small',
    body(recent, [user([{ ...text('Hi'), ...point() }])]),
    body(recent, [user([{ ...text(long), ...point() }])]),
    { losses: true },
  ),
  row('C-05', 'cache.far', steps(1), steps(2), { losses: true }),
  row(
    'C-06',
    'cache.changed',
    body(recent, [user([{ ...text(long), ...point() }])], { system: 'It is noon.' }),
    body(recent, [user([{ ...text(long), ...point() }])], { system: 'It is morning.' }),
    { losses: true, before: body(recent, [user([{ ...text(long), ...point() }])], { system: 'It is morning.' }) },
  ),
  row('D-02', 'deepseek.thinking', loop('deepseek-v4', [use()]), loop('deepseek-v4', [think(), use()])),
  row('BR-01', 'bedrock.tools', body(recent, [ask, assistant([use()]), user([result()])]), loop(recent, [use()]), {
    profile: 'bedrock',
  }),
  row('BR-02', 'bedrock.name', loop(recent, [use('a', 'n'.repeat(65))]), loop(recent, [use('a', 'n'.repeat(64))]), {
    profile: 'bedrock',
  }),
  row('BR-03', 'bedrock.media', body(recent, [user([pdf])]), body(recent, [user([pdf, text('So?')])]), {
    profile: 'bedrock',
  }),
  row('BR-03', 'bedrock.media', body(recent, [user(many(21, 8))]), body(recent, [user(many(20, 8))]), {
    profile: 'bedrock',
  }),
]
