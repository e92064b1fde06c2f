import type { Overrides } from '../schema.js'

/** Specification 2: mirrored limits, strict validation, 15 KB in all, the last five always kept. */
export const handoffAssistantFirst: Overrides = {
  name: 'handoff-assistant-first',
  says: 'Specification 2: 50 messages, user 150 characters, assistant 8,192, 15,360 in all, at least 5 kept.',
  intake: {
    invalid: 'reject',
    roles: ['user', 'assistant'],
    role: 'loose',
    content: 'string',
    trim: true,
    time: 'repair',
    hard: { user: 300, assistant: 16_384 },
    last: 50,
    system: 'refuse',
    voice: 's2',
  },
  fold: { tools: 'drop' },
  clip: {
    user: { over: 150, head: 150, tail: 0, mark: '... [truncated]' },
    assistant: { over: 8_192, head: 8_192, tail: 0, mark: '... [truncated]' },
  },
  fit: {
    chars: 15_360,
    measure: 'record',
    floor: 5,
    oversize: 'keep',
    gap: { form: 'prefix', text: '... (earlier messages omitted for brevity)\n\n' },
  },
}

export const handoffAssistantFirstLiteral: Overrides = {
  fit: { gap: { reserve: 'never', always: true } },
  render: { escape: false },
}
