import type { Overrides } from '../schema.js'

const omitted = '\n[… {omitted} characters omitted …]\n'

/** The default: the opener, then whole turns as far back as the model's window allows; the cut moves in steps. */
export const balanced = {
  name: 'balanced',
  says: "The opener and the newest whole turns that fit the model's window; old tool results shortened.",
  fold: {
    tools: 'abbreviate',
    recent: 3,
    result: { over: 240, head: 140, tail: 50, mark: ' [… {omitted} characters omitted …] ' },
  },
  clip: {
    user: { over: 16_000, head: 11_000, tail: 4_900, mark: omitted },
    assistant: { over: 8_000, head: 5_000, tail: 2_900, mark: omitted },
    tool: { over: 16_000, head: 9_000, tail: 6_900, mark: omitted },
    graphemes: true,
    newestWhole: true,
  },
  fit: {
    grain: 'turn',
    tokens: 'model',
    covers: 'request',
    reserve: { system: 500, tools: 2_000, response: 4_096 },
    pin: { first: 1, of: 'user', share: 0.25 },
    step: 0.5,
    gap: { form: 'message', role: 'assistant', text: '[{n} earlier messages are not shown here.]' },
    summary: { due: 0.25 },
  },
  recall: { share: 0.9, usual: 0.1, most: 8_000 },
  render: { target: 'openai-chat' },
} satisfies Overrides
