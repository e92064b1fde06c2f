import type { Target } from '../../core/message/target.js'
import type { CheckContext } from '../../core/rules/scope.js'
import { gif, png } from './pictures.js'
import type { Row } from './rows.js'

type Body = Readonly<Record<string, unknown>>

const row =
  (target: Target) =>
  (code: string, rule: string, bad: unknown, good: unknown, context?: CheckContext): Row => ({
    code,
    rule,
    target,
    bad,
    good,
    ...(context && { context }),
  })
const chat = row('openai-chat')
const responses = row('openai-responses')

const ask = { role: 'user', content: 'So?' }
const call = (id: string): Body => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const answer = (id: string): Body => ({ role: 'tool', tool_call_id: id, content: 'Rain' })
const functions = (count: number): readonly Body[] =>
  Array.from({ length: count }, (_, i) => ({ type: 'function', name: `f${i}`, function: { name: `f${i}` } }))
const calls = (count: number): Body => {
  const ids = Array.from({ length: count }, (_, i) => `c${i}`)
  return { messages: [ask, { role: 'assistant', content: null, tool_calls: ids.map(call) }, ...ids.map(answer)] }
}
const picture = (url: string): Body => ({ type: 'image_url', image_url: { url } })
const shown = (url: string): Body => ({ messages: [{ role: 'user', content: [picture(url)] }] })

const thought = (more: Body = {}): Body => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: 'c2VhbA==',
  ...more,
})
const made = (more: Body = {}): Body => ({
  type: 'function_call',
  call_id: 'c',
  name: 'look',
  arguments: '{}',
  ...more,
})
const output = { type: 'function_call_output', call_id: 'c', output: 'Rain' }
const said = (more: Body = {}): Body => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Rain.' }],
  ...more,
})
const input = (items: readonly unknown[], more: Body = {}): Body => ({
  model: 'gpt-5.5',
  input: [ask, ...items],
  ...more,
})
const done = (items: readonly unknown[], more: Body = {}): Body => input([...items, ask], more)

export const openaiRows: readonly Row[] = [
  responses(
    'O-01',
    'reasoning.call',
    input([made({ id: 'fc_1' }), output]),
    input([thought(), made({ id: 'fc_1' }), output]),
  ),
  responses('O-01', 'reasoning.call', input([made({ id: 'fc_1' }), output]), input([made(), output])),
  responses('O-02', 'reasoning.message', done([said({ id: 'msg_1' })]), done([thought(), said({ id: 'msg_1' })])),
  responses('O-03', 'reasoning.alone', done([thought()]), done([thought(), said()])),
  responses(
    'O-04',
    'reasoning.unstored',
    done([{ type: 'reasoning', id: 'rs_1', summary: [] }, said()], { store: false }),
    done([thought(), said()], { store: false }),
  ),
  responses(
    'O-04',
    'reasoning.unstored',
    done([{ type: 'item_reference', id: 'rs_1' }, said()], { store: false }),
    done([said()], { store: false }),
  ),
  responses(
    'O-05',
    'reasoning.foreign',
    done([thought({ encrypted_content: 'b3RoZXI=' }), said()]),
    done([thought(), said()]),
    {
      issued: (proof) => (proof === 'c2VhbA==' ? {} : undefined),
    },
  ),
  responses(
    'O-06',
    'reasoning.content',
    done([thought({ content: [{ type: 'reasoning_text', text: 'Hm.' }] }), said()]),
    done([thought({ content: [] }), said()]),
  ),
  responses('O-07', 'item.id', done([thought({ id: 'think_1' }), said()]), done([thought(), said()])),
  responses('O-07', 'reasoning.shape', done([{ type: 'reasoning', id: 'rs_1' }, said()]), done([thought(), said()])),
  responses('O-08', 'reasoning.extra', done([thought({ status: 'completed' }), said()]), done([thought(), said()])),
  ...(
    [
      ['function_call', made(), output],
      [
        'custom_tool_call',
        { type: 'custom_tool_call', call_id: 'c', name: 'look', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'Rain' },
      ],
      [
        'shell_call',
        { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'c', output: [] },
      ],
      [
        'local_shell_call',
        { type: 'local_shell_call', call_id: 'c', action: {} },
        { type: 'local_shell_call_output', id: 'c', output: 'a' },
      ],
      [
        'apply_patch_call',
        { type: 'apply_patch_call', call_id: 'c', operation: {} },
        { type: 'apply_patch_call_output', call_id: 'c', status: 'completed' },
      ],
      [
        'computer_call',
        { type: 'computer_call', call_id: 'c', action: {} },
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } },
      ],
      [
        'tool_search_call',
        { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: {} },
        { type: 'tool_search_output', call_id: 'c', tools: [] },
      ],
    ] as const
  ).map(([, made, answered]) => responses('O-09', 'tool.result.missing', done([made]), done([made, answered]))),
  responses(
    'O-10',
    'approval.open',
    done([{ type: 'mcp_approval_request', id: 'mcpr_1', name: 'look', arguments: '{}', server_label: 's' }]),
    done([
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'look', arguments: '{}', server_label: 's' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false },
    ]),
  ),
  responses('O-11', 'tool.result.orphan', done([output]), done([output], { previous_response_id: 'resp_1' })),
  responses(
    'O-12',
    'reasoning.changed',
    done([thought(), said()], { instructions: 'It is noon.' }),
    done([thought(), said()]),
    {
      losses: true,
      before: input([]),
    },
  ),
  responses('O-13', 'tools.many', input([], { tools: functions(129) }), input([], { tools: functions(128) })),
  chat('O-13', 'tools.many', { messages: [ask], tools: functions(129) }, { messages: [ask], tools: functions(128) }),
  chat('O-14', 'tool.calls.many', calls(129), calls(128)),
  chat('O-15', 'messages.many', { messages: Array(2_049).fill(ask) }, { messages: Array(2_048).fill(ask) }),
  chat('O-16', 'image.type', shown('data:image/png;base64,AAAA'), shown(`data:image/png;base64,${png()}`)),
  responses(
    'O-16',
    'image.type',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${gif()}` }] }] },
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/gif;base64,${gif()}` }] }] },
  ),
  chat(
    'O-17',
    'tool.result.image',
    {
      messages: [
        ask,
        { role: 'assistant', content: null, tool_calls: [call('c')] },
        { role: 'tool', tool_call_id: 'c', content: [picture(`data:image/png;base64,${png()}`)] },
      ],
    },
    {
      messages: [
        ask,
        { role: 'assistant', content: null, tool_calls: [call('c')] },
        answer('c'),
        { role: 'user', content: [picture(`data:image/png;base64,${png()}`)] },
      ],
    },
  ),
  chat(
    'O-18',
    'effort.tools',
    { model: 'gpt-5.5', messages: [ask], tools: functions(1), reasoning_effort: 'low' },
    { model: 'gpt-5.5', messages: [ask], tools: functions(1), reasoning_effort: 'none' },
  ),
  chat('O-19', 'request.chars', { messages: [{ role: 'user', content: 'x'.repeat(10_485_761) }] }, { messages: [ask] }),
  chat(
    'O-19',
    'json.word',
    { messages: [ask], response_format: { type: 'json_object' } },
    { messages: [{ role: 'user', content: 'So? In JSON.' }], response_format: { type: 'json_object' } },
  ),
  responses(
    'O-19',
    'request.chars',
    { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(10_485_761) }] }] },
    { input: [ask] },
  ),
  responses(
    'O-19',
    'json.word',
    input([], { text: { format: { type: 'json_object' } } }),
    input([], { instructions: 'Answer in JSON.', text: { format: { type: 'json_object' } } }),
  ),
  responses(
    'O-19',
    'previous.conversation',
    input([], { previous_response_id: 'resp_1', conversation: 'conv_1' }),
    input([], { conversation: 'conv_1' }),
  ),
]
