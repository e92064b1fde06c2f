import type { Overrides } from '../schema.js'

const omitted = '\n[… {omitted} characters omitted{expand} …]\n'

/** The default: the opener, then whole turns as far back as the model's window allows; the cut moves in steps. */
export const balanced = {
  name: 'balanced',
  says: "The opener and the newest whole turns that fit the model's window; under pressure old tool results are quoted in part first.",
  intake: { system: 'prompt' },
  fold: {
    tools: 'abbreviate',
    result: { over: 200, head: 90, tail: 30, mark: ' [… {omitted} characters omitted{expand} …] ' },
  },
  clip: {
    when: 'pressure',
    user: { over: 6_000, head: 4_000, tail: 1_900, mark: omitted },
    assistant: { over: 6_000, head: 4_000, tail: 1_900, mark: omitted },
    graphemes: true,
    newestWhole: true,
  },
  fit: {
    grain: 'turn',
    tokens: 'model',
    covers: 'request',
    reserve: { system: 0, tools: 0, response: 4_096 },
    pin: { first: 1, of: 'user', share: 0.25 },
    step: 1 / 3,
    gap: { form: 'message', role: 'assistant', text: '[{n} earlier messages are not shown here.]' },
    summary: { due: 0.25 },
  },
  recall: { share: 0.9, usual: 0.1, most: 8_000 },
  render: { target: 'openai-chat' },
} satisfies Overrides
