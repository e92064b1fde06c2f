import type { Overrides } from '../schema.js'

/** Specification 3: whole turns with their tool traffic told in the assistant's words, as one tagged prompt. */
export const agentTurns = {
  name: 'agent-turns',
  says: 'Specification 3: the last 20 turns or 100,000 characters, tools folded into the answer, a tagged prompt.',
  intake: { roles: ['user', 'assistant', 'tool'] },
  fold: { tools: 'inline', result: { over: 500, head: 500, tail: 0, mark: '... [truncated]' } },
  fit: { grain: 'turn', turns: 20, chars: 100_000, lead: 'user', oversize: 'clip' },
  render: { target: 'text-tagged' },
} satisfies Overrides
