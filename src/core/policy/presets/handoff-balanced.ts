import type { Overrides } from '../schema.js'

const omitted = ' [… {omitted} characters omitted …] '

/** Where specification 0's product ended up: both sides shortened in the middle, nothing refused. */
export const handoffBalanced = {
  name: 'handoff-balanced',
  says: 'Hand-off: user 2,000 characters, others 500, text only, lenient, 20,000 tokens in all.',
  intake: {
    roles: ['user', 'assistant', 'orchestrator', 'tool'],
    role: 'loose',
    content: 'any',
    trim: true,
    time: 'fill',
  },
  fold: { tools: 'drop' },
  clip: {
    user: { over: 2_000, head: 1_450, tail: 500, mark: omitted },
    assistant: { over: 500, head: 330, tail: 120, mark: omitted },
    graphemes: true,
  },
  fit: {
    messages: 50,
    tokens: 20_000,
    pin: { first: 1, of: 'user', share: 0.25 },
    oversize: 'clip',
    gap: { form: 'message', text: '{n} earlier messages are not shown here.' },
  },
  render: { target: 'text-numbered' },
} satisfies Overrides
