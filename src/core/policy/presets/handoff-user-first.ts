import type { Overrides } from '../schema.js'

/** Specification 0: the user's words nearly whole, everyone else's in a line. */
export const handoffUserFirst = {
  name: 'handoff-user-first',
  says: 'Specification 0: 50 messages, user 8,000 characters, others 150, a numbered section for the agent.',
  intake: {
    invalid: 'reject',
    roles: ['user', 'assistant', 'orchestrator'],
    content: 'coerce',
    empty: 'keep',
    time: 'fill',
    last: 50,
    system: 'refuse',
    voice: 's0',
  },
  fold: { tools: 'drop' },
  clip: {
    user: { over: 8_000, head: 7_900, tail: 0, mark: ' ... (truncated, original: {original} chars)' },
    assistant: { over: 150, head: 150, tail: 0, mark: ' ... (truncated)' },
  },
  // the specification claims less than 20,000 tokens, four chars each, but its caps allow 100,000 (K5)
  fit: {
    tokens: 20_000,
    oversize: 'clip',
    gap: { form: 'message', text: '{n} earlier messages are not shown here.' },
  },
  counter: 'chars/4',
  render: { target: 'text-numbered', section: 'emoji' },
} satisfies Overrides

export const handoffUserFirstLiteral: Overrides = {
  fit: { tokens: null, oversize: 'keep' },
  render: { escape: false },
}
