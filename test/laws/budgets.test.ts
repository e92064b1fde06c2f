/** Histories whose windows once kept less with a bigger budget, or were larger on the wire than they said. */
import { describe, expect, test } from 'vitest'
import { assemble, type Input, type Options, type PresetName, presets } from '../../src/index.js'
import { withinBudget } from './law/budget.js'
import { monotone } from './law/more.js'
import { isGood, type Trial } from './trial.js'

type Given = Input & { readonly messages: readonly unknown[] }

const said = (role: string, id: string, content: string) => ({ role, id, content })
const called = (id: string, name = 'read_file') => ({
  role: 'assistant',
  id,
  content: null,
  tool_calls: [{ id: `c-${id}`, type: 'function', function: { name, arguments: '{"q":1}' } }],
})
const found = (id: string, content: string) => ({ role: 'tool', id: `r-${id}`, tool_call_id: `c-${id}`, content })

const built = (input: Given, preset: PresetName, options: Options): Trial => ({
  input,
  preset,
  policy: presets[preset],
  target: options.target ?? presets[preset].render.target,
  options,
  sound: true,
  result: assemble(input, preset, options),
})

/** Every budget of a range against the next one; says how many different windows there were. */
function grown(input: Given, preset: PresetName, options: Options, [from, to]: readonly [number, number]): number {
  const made = new Set<string>()
  let before: Trial | null = null
  for (let budget = from; budget <= to; budget += Math.max(1, Math.floor((to - from) / 150))) {
    const next: Trial = built(input, preset, { ...options, budget })
    if (before) expect(monotone(before, next)).toEqual([])
    if (next.result.ok) made.add(JSON.stringify(next.result.items.map(({ index, text }) => [index, text])))
    before = next
  }
  return made.size
}

describe('with every token more a window keeps no less [P-12]', () => {
  const words = 'what was said there. '
  const chat = { target: 'openai-chat', now: '2026-02-03T04:05:06Z' } as const

  test('when a call stands before an opener of the newest turn', () => {
    const messages = [called('a0'), found('a0', 'It is there.'), said('user', 'u0', words.repeat(60))]
    expect(grown({ messages }, 'balanced', chat, [400, 1_400])).toBeGreaterThan(1)
  })

  test('when an opener is cut to its share, and then to what the others leave', () => {
    const messages = [
      said('user', 'u0', `${words.repeat(40)}한국어 😀 `.repeat(2)),
      said('assistant', 'a0', 'I see.'),
      said('user', 'u1', words.repeat(10)),
    ]
    for (const caching of [{}, { caching: null }])
      expect(grown({ messages, current: 'now' }, 'balanced', { ...chat, ...caching }, [400, 1_100])).toBeGreaterThan(2)
  })

  test('when the row of the opener stands again further on', () => {
    const opener = said('user', 'u0', words.repeat(12))
    const messages = [
      opener,
      said('assistant', 'a0', words.repeat(8)),
      said('user', 'u1', words.repeat(8)),
      opener,
      said('assistant', 'a1', words.repeat(20)),
      said('user', 'u2', 'So?'),
    ]
    for (const caching of [{}, { caching: null }])
      expect(grown({ messages, current: 'now' }, 'balanced', { ...chat, ...caching }, [100, 900])).toBeGreaterThan(2)
  })

  test('when the first message, a summary and what people pinned take all of their shares', () => {
    const messages = [
      said('assistant', 'a0', 'x'.repeat(146)),
      said('assistant', 'a1', 'The build passes, it seems.'),
      said('user', 'u1', 'What else is there, please? Nothing at all?'),
      said('assistant', 'a2', 'The build passes, it seems.'),
      said('user', 'u2', 'So?'),
      said('assistant', 'a3', 'It is truncated there.'),
    ]
    const input = { messages, current: 'and now', marks: { pinned: ['a2', 'a3'] } }
    const summary = { id: 's', text: 'They spoke of tea. '.repeat(5), until: 'a0' }
    for (const given of [input, { ...input, summary }])
      expect(grown(given, 'session-window', chat, [20, 90])).toBeGreaterThan(5)
  })

  test('when the words to be answered stand behind an opener that is over its share', () => {
    const messages = [
      said('user', 'u0', 'x'.repeat(150)),
      said('assistant', 'a0', 'y'.repeat(150)),
      said('user', 'u1', 'So.'),
    ]
    expect(grown({ messages, current: 'now' }, 'balanced', { ...chat, model: 'gpt-4o' }, [150, 560])).toBeGreaterThan(2)
  })

  test('when the first message is a call whose result someone excluded', () => {
    const messages = [
      called('a0'),
      found('a0', 'It is there. '.repeat(20)),
      said('user', 'u1', words.repeat(8)),
      said('assistant', 'a1', words.repeat(60)),
    ]
    const input = { messages, marks: { excluded: ['r-a0'] } }
    expect(grown(input, 'session-window', chat, [200, 500])).toBeGreaterThan(1)
  })

  test('when a summary of the only message leaves its share free, or finds no room for it', () => {
    const messages = [said('user', 'u0', '😀'.repeat(97))]
    const input = { messages, summary: { id: 's', text: words.repeat(5), until: 'u0' } }
    expect(grown(input, 'handoff-user-first', chat, [10, 60])).toBeGreaterThan(1)
  })

  test('when a message that is pinned amid calls told in words finds room at last', () => {
    const messages = [
      said('user', 'u0', 'The build passes.'),
      called('a0'),
      found('a0', 'x'.repeat(240)),
      said('assistant', 'a1', `${'x'.repeat(140)}😀`),
      called('a2'),
      found('a2', 'log line\n'.repeat(300)),
      said('assistant', 'a3', 'The build passes.'),
    ]
    const input = { messages, marks: { pinned: ['a1'] }, current: 'and now?' }
    expect(grown(input, 'agent-turns', chat, [200, 1_400])).toBeGreaterThan(2)
  })

  test('when both ends of the oldest turn are cut, and one of them leaves over what a character takes', () => {
    const messages = [
      said('user', 'u0', `${'x'.repeat(500)}😀${'y'.repeat(19)}`),
      called('a0'),
      found('a0', 'The build passes.'),
      said('assistant', 'a1', `${'x'.repeat(300)}😀क्षि`),
    ]
    const input = { messages, current: 'and now?' }
    expect(grown(input, 'balanced', { ...chat, model: 'gemini-2.5-pro' }, [200, 349])).toBeGreaterThan(2)
  })

  test('when the oldest turn is there in part, and what is pinned takes more', () => {
    const messages = [
      said('user', 'u0', 'ᄀĸຍ'.repeat(54)),
      said('user', 'u1', 'See?'),
      said('assistant', 'a1', 'z'.repeat(510)),
      said('user', 'u2', 'What is in src/app.ts?'),
      said('assistant', 'a2', 'The port is 8080.'),
      said('user', 'u3', 'Well?'),
      said('assistant', 'a3', 'ᄀĸຍ'.repeat(70)),
    ]
    const input = { messages, current: words.repeat(10) }
    expect(grown(input, 'balanced', { ...chat, model: 'gpt-4o' }, [800, 2_200])).toBeGreaterThan(2)
  })

  test('when a long text behind a summary is whole, and all of the history would fit in part', () => {
    const messages = [
      said('user', 'u0', 'Begin.'),
      said('assistant', 'a0', 'Yes.'),
      said('user', 'u1', 'x'.repeat(8_200)),
      said('assistant', 'a1', 'y'.repeat(8_200)),
      said('user', 'u2', 'And now?'),
    ]
    const summary = { id: 's', text: 'They spoke of tea.', until: 'u1' }
    expect(grown({ messages, summary }, 'balanced', chat, [9_000, 33_000])).toBeGreaterThan(2)
  })

  test('when the picture of an opener is over its share, and the turns would fit into what the share leaves free', () => {
    const image = {
      type: 'image_url',
      image_url: {
        url: `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==`,
      },
    }
    const messages = [
      { role: 'user', id: 'u0', content: [{ type: 'text', text: 'What is this?' }, image] },
      ...[1, 2, 3].flatMap((n) => [
        said('assistant', `a${n}`, words.repeat(12)),
        said('user', `u${n}`, words.repeat(n < 3 ? 4 : 1_200)),
      ]),
    ]
    const model = { ...chat, model: 'gpt-4o' }
    expect(grown({ messages }, 'balanced', model, [6_200, 9_800])).toBeGreaterThan(2)
  })

  test('when a pinned message has no room beside what must be there', () => {
    const messages = ['u0', 'a0', 'u1', 'u2', 'a2'].map((id) =>
      said(id[0] === 'u' ? 'user' : 'assistant', id, 'The build passes.'),
    )
    const input = { messages, marks: { pinned: ['u1'] }, current: 'and now?' }
    expect(grown(input, 'session-window', chat, [5, 60])).toBeGreaterThan(1)
  })

  test.each(['balanced', 'handoff-balanced', 'session-window', 'agent-turns'] as const)(
    'when what is pinned in the newest turn has a place at last, under %s',
    (preset) => {
      const messages = [
        said('user', 'u0', words.repeat(9)),
        said('assistant', 'a0', words.repeat(7)),
        said('assistant', 'a1', 'The port is 8080.'),
        said('assistant', 'a2', words.repeat(8)),
      ]
      expect(grown({ messages, marks: { pinned: ['a0'] } }, preset, chat, [30, 700])).toBeGreaterThan(1)
    },
  )

  test('when mend has to add a word to some of the windows', () => {
    const messages = ['a0', 'u1', 'u2', 'u3', 'a4'].map((id) =>
      said(id[0] === 'u' ? 'user' : 'assistant', id, 'The build passes, says Grace.'),
    )
    const marks = { pinned: ['a0'], excluded: ['u2'] }
    const input = { messages, marks, summary: { id: 's', text: words.repeat(5), until: 'a0' }, current: 'and now?' }
    expect(grown(input, 'stateless-query', { ...chat, target: 'google' }, [60, 200])).toBeGreaterThan(1)
  })

  test('when a summary that covers all has no room for its words, and then has', () => {
    const input = {
      messages: [said('user', 'u0', 'x'.repeat(150))],
      summary: { id: 's', text: words.repeat(5), until: 'u0' },
      current: 'and now?',
    }
    expect(grown(input, 'handoff-balanced', chat, [100, 420])).toBeGreaterThan(2)
  })
})

test('the work ends where a word that mend adds has no room at all [P-19]', () => {
  const messages = [said('assistant', 'a0', 'Hello there.'), said('assistant', 'a1', 'Hello again.')]
  for (const system of [undefined, 'You are brief. '.repeat(4)])
    for (let budget = 0; budget < 60; budget++) {
      const input = { messages, marks: { pinned: ['a0'] }, ...(system && { system }) }
      const { result } = built(input, 'session-window', { target: 'anthropic', budget })
      if (!result.ok) expect(result.error.code).toBe('fit.budget')
    }
})

describe('a window is no larger on the wire than its budget, to the token [P-01]', () => {
  const thought = {
    role: 'assistant',
    id: 'a0',
    model: 'gemini-3-pro',
    content: [
      { type: 'thinking', thinking: 'Let me see. '.repeat(4), signature: 'c2lnbmF0dXJl' },
      { type: 'tool_use', id: 'c-a0', name: 'read_file', input: { q: 1 } },
    ],
  }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c-a0', content: 'It is there.' }] }
  const histories: Readonly<Record<string, readonly [PresetName, Given, Options]>> = {
    'thoughts that go back to a model of Google that nobody named': [
      'balanced',
      { messages: [said('user', 'u0', 'Go on.'), thought, result], current: 'and now?' },
      { target: 'google' },
    ],
    'a signature that stands for one that was lost': [
      'balanced',
      { messages: [said('user', 'u0', 'Go on.'), called('a1'), found('a1', 'It is there.')] },
      { target: 'google', model: 'gemini-3-pro' },
    ],
    'a result that says nothing': [
      'balanced',
      { messages: [said('user', 'u0', 'Go on.'), called('a1'), found('a1', '\u0000')] },
      { target: 'openai-chat' },
    ],
    'a name that Google does not take': [
      'handoff-balanced',
      { messages: [said('assistant', 'a0', 'Well.'), called('a1', '9lives'), found('a1', 'It is there.')] },
      { target: 'google' },
    ],
    'a cut on a rounder place that needs more markers': [
      'balanced',
      {
        messages: [
          called('a0'),
          said('user', 'u1', 'The build passes, says Grace.'),
          called('a2'),
          said('user', 'u3', 'The build passes, says Grace.'),
          found('a0', 'x'.repeat(600)),
        ],
        marks: { excluded: ['a2'] },
      },
      { target: 'openai-chat', model: 'claude-sonnet-4-5' },
    ],
  }

  test.each(Object.entries(histories))('%s', (_, [preset, input, options]) => {
    let sizes = 0
    for (let budget = 20; budget < 700; budget++) {
      const trial = built(input, preset, { ...options, budget })
      if (!isGood(trial)) continue
      expect(withinBudget(trial)).toEqual([])
      sizes++
    }
    expect(sizes).toBeGreaterThan(100)
  })
})
