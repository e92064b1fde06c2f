import type { Overrides } from '../schema.js'

/** Specification 4: a session goes on inside 6,000 tokens; the opener stays, the middle gives way. */
export const sessionWindow = {
  name: 'session-window',
  says: 'Specification 4: the first message and the newest of the last 50 that fit 6,000 tokens (chars / 4).',
  intake: { roles: ['user', 'assistant', 'system', 'tool'], system: 'lead' },
  fit: {
    messages: 50,
    tokens: 6_000,
    reserve: { system: 500, tools: 2_000, response: 2_000 },
    pin: { first: 1, of: 'any', share: 0.5 },
    oversize: 'clip',
    gap: { form: 'message', role: 'system', text: '[Earlier messages truncated]' },
  },
  counter: 'chars/4',
  render: { target: 'openai-chat' },
} satisfies Overrides

// the reserve is taken off a budget that already excludes it (K22), and the marker goes first when room is short (K25b)
export const sessionWindowLiteral: Overrides = {
  fit: { covers: 'request', oversize: 'keep', gap: { reserve: 'if-room' } },
}
