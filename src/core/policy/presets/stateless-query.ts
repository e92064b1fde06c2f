import type { Overrides } from '../schema.js'

/** Specification 1: the client sends its history with every query; the server keeps nothing. */
export const statelessQuery = {
  name: 'stateless-query',
  says: 'Specification 1: the last 20 well-formed messages, user and assistant text only, under 100 KB.',
  intake: { roles: ['user', 'assistant'], content: 'string', warnAt: 15 },
  fold: { tools: 'drop' },
  fit: {
    messages: 20,
    bytes: 102_400,
    tokens: 'model',
    covers: 'request',
    reserve: { system: 10_000, tools: 2_000, response: 8_000 },
  },
  render: { target: 'anthropic' },
} satisfies Overrides

// slice before filter: junk among the last 20 takes places (K15)
export const statelessQueryLiteral: Overrides = {
  intake: { last: 20 },
  fit: { messages: null, bytes: null, tokens: null, covers: 'history', reserve: { system: 0, tools: 0, response: 0 } },
}
