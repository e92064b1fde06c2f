import { usualRecall, usualSummary } from '../form.js'
import type { Policy } from '../schema.js'

/** Where every preset starts: nothing limited, nothing changed. */
export const base: Policy = {
  name: 'base',
  says: 'Everything, as it is.',
  intake: {
    invalid: 'drop',
    roles: ['user', 'assistant', 'orchestrator', 'tool'],
    role: 'exact',
    content: 'any',
    trim: false,
    empty: 'drop',
    time: 'keep',
    hard: null,
    last: null,
    warnAt: null,
    system: 'drop',
    voice: 'plain',
  },
  fold: {
    tools: 'keep',
    result: { over: 240, head: 140, tail: 60, mark: ' [… {omitted} characters omitted …] ' },
  },
  clip: { when: 'always', user: null, assistant: null, tool: null, graphemes: false, newestWhole: false },
  fit: {
    grain: 'message',
    messages: null,
    turns: null,
    chars: null,
    bytes: null,
    tokens: null,
    covers: 'history',
    reserve: { system: 0, tools: 0, response: 0 },
    measure: 'text',
    pin: { first: 0, of: 'user', share: 0.25 },
    floor: 0,
    step: 0,
    lead: 'any',
    oversize: 'refuse',
    gap: { form: 'none', role: 'assistant', text: '', reserve: 'first', always: false },
    summary: usualSummary,
  },
  counter: 'auto',
  strategy: 'truncate',
  recall: usualRecall,
  render: { target: 'messages', think: 'drop', section: 'plain', escape: true },
}
