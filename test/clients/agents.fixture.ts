/** Items of the agents SDK as they come, and as they might. */
import type { AgentInputItem } from '@openai/agents'
import fc from 'fast-check'

const word = fc.string({ unit: 'binary', maxLength: 12 })
/** Fields that no one here has heard of; NUL and half characters among their words. */
const strange = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const callId = fc.constantFrom('call_1', 'call_2', 'call_3')

const known = fc.oneof(
  fc.record({ type: fc.constant('message'), role: fc.constant('user'), content: word }),
  fc.record({ role: fc.constantFrom('user', 'system'), content: word }),
  fc.record({
    type: fc.constant('message'),
    id: fc.constantFrom('FAKE_ID', 'msg_1'),
    role: fc.constant('assistant'),
    status: fc.constant('completed'),
    content: fc.array(fc.record({ type: fc.constant('output_text'), text: word }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('function_call'),
    id: fc.constantFrom('fc_1', 'fc_2'),
    callId,
    name: fc.constant('look'),
    status: fc.constant('completed'),
    arguments: fc.constantFrom('{}', '{"a":1}', 'not json'),
  }),
  fc.record({
    type: fc.constant('function_call_result'),
    name: fc.constant('look'),
    callId,
    status: fc.constant('completed'),
    output: fc.oneof(word, fc.record({ type: fc.constant('text'), text: word })),
  }),
  fc.record({
    type: fc.constant('reasoning'),
    id: fc.constant('rs_1'),
    content: fc.array(fc.record({ type: fc.constant('input_text'), text: word }), { maxLength: 1 }),
  }),
  fc.record({
    type: fc.constant('hosted_tool_call'),
    id: fc.constant('ws_1'),
    name: fc.constant('web_search'),
    status: fc.constant('completed'),
    output: word,
  }),
  fc.record({ type: fc.constant('unknown') }),
)

/** A known item with strange fields, in an order of its own. */
export const item: fc.Arbitrary<AgentInputItem> = fc
  .tuple(known, strange)
  .map(([fields, providerData]) => ({ providerData, ...fields }) as unknown as AgentInputItem)

export const items = fc.array(item, { maxLength: 6 })
