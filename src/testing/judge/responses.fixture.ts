import { type Extra, gif, heic, type JudgeCase, png, type Told, times, url } from './judge.fixture.js'
import { issue } from './ledger.js'
import type { JudgeRequest } from './scope.js'

export const send = (input: unknown, extra: Extra = {}, told: Told = {}): JudgeRequest => ({
  provider: 'openai-responses',
  ...told,
  body: { model: 'gpt-5.2', input, ...extra },
})
export const user = (content: unknown = 'How is the weather in Oslo?') => ({ role: 'user', content })
export const said = (text = 'Rain.', extra: Extra = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...extra,
})
export const call = (id = 'call_1', extra: Extra = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'get_weather',
  arguments: '{"city":"Oslo"}',
  ...extra,
})
export const output = (id = 'call_1', value: unknown = '4 degrees', extra: Extra = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
  ...extra,
})
export const thought = (id: unknown = 'rs_1', extra: Extra = {}) => ({ type: 'reasoning', id, summary: [], ...extra })
const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
}
export const tools = [weather]
export const image = (link: string) => ({ type: 'input_image', image_url: link, detail: 'auto' })
const c = (rule: string, says: string, bad: JudgeRequest, good: JudgeRequest): JudgeCase => ({ rule, says, bad, good })

const reply = [thought('rs_9', { encrypted_content: 'gAAAAAB9' }), call('call_9', { id: 'fc_9' })]
const issued = issue(send([user()], {}, { account: 'a' }), reply)
export const told: Told = { issued, account: 'a' }
export const turn = [user(), ...reply, output('call_9')]
export const deepseek: Told = { baseUrl: 'https://api.deepseek.com/v1' }
const copilot: Told = { baseUrl: 'https://api.githubcopilot.com' }
const llama: Told = { baseUrl: 'http://llamacpp:8080/v1' }
export const approval = {
  type: 'mcp_approval_request',
  id: 'mcpr_1',
  arguments: '{}',
  name: 'ask',
  server_label: 'wiki',
}
export const granted = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }
export const shell = {
  type: 'shell_call',
  id: 'sh_1',
  call_id: 'call_s',
  action: { commands: ['ls'] },
  status: 'completed',
}
export const shellOut = {
  type: 'shell_call_output',
  call_id: 'call_s',
  output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
}

export const responsesCases: readonly JudgeCase[] = [
  c('R-required', "Missing required parameter: 'input'", send([]), send([], { previous_response_id: 'resp_1' })),
  c('R-required', "'model'", send('Hi', { model: undefined }), send('Hi')),
  c('R-type', "Invalid value: 'tool_result'", send([user(), { type: 'tool_result' }]), send([user()])),
  c(
    'R-fields',
    "'input[1].arguments'",
    send([user(), call('call_1', { arguments: {} }), output()]),
    send([user(), call(), output()]),
  ),
  c(
    'R-fields',
    "Missing required parameter: 'input[2].output'",
    send([user(), call(), output('call_1', null)]),
    send([user(), call(), output('call_1', '')]),
  ),
  c(
    'R-role',
    "Invalid value: 'tool'",
    send([{ role: 'tool', content: 'a' }]),
    send([{ role: 'developer', content: 'a' }]),
  ),
  c(
    'R-part',
    "Supported values are: 'output_text' and 'refusal'",
    send([user(), { role: 'assistant', content: [{ type: 'input_text', text: 'a' }] }]),
    send([user(), said()]),
  ),
  c(
    'R-part',
    "Invalid value: 'text'",
    send([user([{ type: 'text', text: 'a' }])]),
    send([user([{ type: 'input_text', text: 'a' }])]),
  ),
  c(
    'O-09',
    'No tool output found for function call call_1',
    send([user(), call(), user()]),
    send([user(), call(), user(), output()]),
  ),
  c(
    'O-09',
    'No tool output found for shell call',
    send([user(), shell, output('call_s')], { previous_response_id: 'resp_1' }),
    send([user(), shell, shellOut]),
  ),
  c(
    'O-09',
    'No tool output found',
    send([user(), { type: 'computer_call', id: 'cu_1', call_id: 'call_c', action: { type: 'screenshot' } }]),
    send([user(), { type: 'web_search_call', id: 'ws_1', status: 'completed' }]),
  ),
  c(
    'R-orphan',
    'No tool call found for function call output with call_id call_1',
    send([user(), output()]),
    send([output()], { previous_response_id: 'resp_1' }),
  ),
  c('O-10', 'No approval response found', send([user(), approval]), send([user(), approval, granted])),
  c(
    'R-approval',
    'No MCP approval request found',
    send([user(), granted]),
    send([granted], { previous_response_id: 'resp_1' }),
  ),
  c(
    'R-call-id',
    'maximum length 64',
    send([user(), call('c'.repeat(65)), output('c'.repeat(65))]),
    send([user(), call('c'.repeat(64)), output('c'.repeat(64))]),
  ),
  c('R-call-id', 'empty string', send([user(), call(''), output('')]), send([user(), call('c'), output('c')])),
  c(
    'R-name',
    'does not match pattern',
    send([user(), call('call_1', { name: 'a.b' }), output()]),
    send([user(), call('call_1', { name: 'a_b' }), output()]),
  ),
  c(
    'R-duplicate',
    'Duplicate item found with id fc_1',
    send([
      user(),
      thought(),
      call('call_1', { id: 'fc_1' }),
      output(),
      call('call_2', { id: 'fc_1' }),
      output('call_2'),
    ]),
    send([
      user(),
      thought(),
      call('call_1', { id: 'fc_1' }),
      output(),
      call('call_2', { id: 'fc_2' }),
      output('call_2'),
    ]),
  ),
  c(
    'R-keys',
    "Unknown parameter: 'input[1].parsed_arguments'",
    send([user(), call('call_1', { parsed_arguments: {} }), output()]),
    send([user(), call('call_1', { status: 'completed' }), output()]),
  ),
  c(
    'R-image',
    'does not represent a valid image',
    send([user([image('data:image/png;base64,bm9wZQ==')])]),
    send([user([image(url('image/png', png(2, 2)))])]),
  ),
  c(
    'R-image',
    'unsupported image',
    send([user(), call(), output('call_1', [image(url('image/heic', heic()))])]),
    send([user(), call(), output('call_1', [image(url('image/gif', gif(2, 2)))])]),
  ),
  c(
    'O-19-both',
    'Mutually exclusive parameters',
    send('Hi', { previous_response_id: 'resp_1', conversation: 'conv_1' }),
    send('Hi', { conversation: 'conv_1' }),
  ),
  c(
    'R-json',
    "must contain the word 'json'",
    send('Hi', { text: { format: { type: 'json_object' } } }),
    send('Hi as JSON', { text: { format: { type: 'json_object' } } }),
  ),
  c(
    'O-13',
    'maximum length 128',
    send('Hi', { tools: times(129, (at) => ({ ...weather, name: `f${at}` })) }),
    send('Hi', { tools: times(128, (at) => ({ ...weather, name: `f${at}` })) }),
  ),
  c(
    'O-01',
    "of type 'function_call' was provided without its required 'reasoning' item",
    send([user(), call('call_1', { id: 'fc_1' }), output()]),
    send([user(), call(), output()]),
  ),
  c(
    'O-01',
    'fc_9',
    send(
      [user(), thought('rs_8', { encrypted_content: 'gAAAAAB8' }), reply[1], output('call_9')],
      {},
      {
        ...told,
        issued: [
          ...issued,
          ...issue(send([user()], {}, { account: 'a' }), [thought('rs_8', { encrypted_content: 'gAAAAAB8' })]),
        ],
      },
    ),
    send(turn, {}, told),
  ),
  c(
    'O-01',
    'fc_2',
    send([user(), thought(), said(), user(), call('call_2', { id: 'fc_2' }), output('call_2')]),
    send([user(), thought(), said(), user(), thought('rs_2'), call('call_2', { id: 'fc_2' }), output('call_2')]),
  ),
  c(
    'R-approval',
    'No MCP approval request found',
    send([user(), approval, granted, { ...granted, approval_request_id: 'mcpr_2' }]),
    send([user(), approval, granted]),
  ),
  c(
    'O-05',
    'could not be verified',
    send([{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABx' }, user()], {}, told),
    send([{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABx' }, user()]),
  ),
  c(
    'O-02',
    "of type 'message' was provided without its required 'reasoning' item",
    send([user(), said('Rain.', { id: 'msg_1' }), user()]),
    send([user(), thought(), said('Rain.', { id: 'msg_1' }), user()]),
  ),
  c(
    'O-02',
    "of type 'message'",
    send([user(), thought(), call(), said('Rain.', { id: 'msg_1' }), output()]),
    send([user(), thought(), said('Rain.', { id: 'msg_1' }), call(), output()]),
  ),
  c(
    'O-03',
    'without its required following item',
    send([user(), thought(), user()]),
    send([user(), thought(), said(), user()]),
  ),
  c(
    'O-03',
    'without its required following item',
    send([user(), call(), thought(), output()]),
    send([user(), thought(), call(), output()]),
  ),
  c(
    'O-04',
    'Items are not persisted when `store` is set to false',
    send([user(), thought(), said()], { store: false }),
    send([user(), thought('rs_1', { encrypted_content: 'gAAA' }), said()], { store: false }),
  ),
  c(
    'O-04',
    'not persisted',
    send([{ type: 'item_reference', id: 'msg_1' }], { store: false }),
    send([{ type: 'item_reference', id: 'msg_1' }]),
  ),
  c('O-05', 'could not be verified', send(turn, {}, { ...told, account: 'b' }), send(turn, {}, told)),
  c(
    'O-06',
    'maximum length 0',
    send([user(), thought('rs_1', { content: [{ type: 'reasoning_text', text: 'a' }] }), said()]),
    send([user(), thought('rs_1', { content: [] }), said()]),
  ),
  c(
    'O-07',
    "begins with 'rs'",
    send([user(), thought(''), said()]),
    send([user(), thought(undefined, { encrypted_content: 'gAAA' }), said()]),
  ),
  c(
    'O-07',
    "Missing required parameter: 'input[1].summary'",
    send([user(), thought('rs_1', { summary: undefined }), said()]),
    send([user(), thought(), said()]),
  ),
  c(
    'O-08',
    "Unknown parameter: 'input[1].status'",
    send([user(), thought('rs_1', { status: 'completed' }), said()]),
    send([user(), thought(), said()]),
  ),
  c(
    'D-04',
    'No tool output found for tool call',
    send([user(), call(), said('Wait.'), output()], {}, deepseek),
    send([user(), said('Wait.'), call(), output()], {}, deepseek),
  ),
  c(
    'X-03',
    '"reasoning" is not a valid input item type',
    send([user(), thought(), said()], {}, copilot),
    send([user(), said()], {}, copilot),
  ),
  c(
    'X-04',
    "item['content'] is empty",
    send([user(), thought(), said()], {}, llama),
    send([user(), thought('rs_1', { content: [{ type: 'reasoning_text', text: 'a' }] }), said()], {}, llama),
  ),
]
