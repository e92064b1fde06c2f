import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { assemble } from '../../core/window/assemble.js'
import { extractive } from './answer.js'
import { ask, askMessages } from './extractive.fixture.js'

const cincinnati = [
  'u: Who owns the Cincinnati service?',
  'a: The Cincinnati service is owned by the Update team. Its dependencies are Postgres and Redis.',
]
const services = 'a: The services are:\n1. Cincinnati\n2. Telemeter\n3. Quay'

describe('what it says of itself', () => {
  test('the label says that it is no AI', () => {
    expect(extractive.label).toContain('no AI')
    expect(extractive.kind).toBe('builtin')
  })

  test('a first question has nothing to quote, and is told so', async () => {
    const { text, quotes } = await ask('u: What is Kartograph?')
    expect(quotes).toEqual([])
    expect(text).toMatch(/nothing before this message.*no AI/s)
  })

  test('what was not said is not invented', async () => {
    const { text, quotes } = await ask('u: The sky is blue.', 'u: How do I bake bread?')
    expect(quotes).toEqual([])
    expect(text).toMatch(/^I found nothing about that.*no AI/s)
  })

  test.each(['hello', 'Thanks!', 'Who are you?'])('%s is answered with what it is', async (courtesy) => {
    expect((await ask('u: I like tea.', `u: ${courtesy}`)).text).toMatch(/^I am the built-in responder, no AI/)
  })
})

describe('follow-ups', () => {
  test('its dependencies are those of the service that was spoken of [S1-2]', async () => {
    const { quotes, entries } = await ask(...cincinnati, 'u: What about its dependencies?')
    expect(quotes).toEqual(['Its dependencies are Postgres and Redis.'])
    expect(entries).toEqual(['m1'])
  })

  test('another one that has such a thing is not taken for it', async () => {
    const paris = [
      'u: I was born in Cincinnati.',
      'a: Paris has a population of 2 million.',
      'u: Hm, I like Cincinnati.',
    ]
    expect((await ask(...paris, 'u: What is its population?')).quotes).toEqual([])
  })

  test('the first one is the first of the newest list [S1-3]', async () => {
    const { quotes, entries, text } = await ask(
      'u: Cincinnati handles updates.',
      'u: List all services',
      services,
      'u: Tell me more about the first one',
    )
    expect(quotes).toEqual(['Cincinnati', 'Cincinnati handles updates.'])
    expect(entries).toEqual(['m2', 'm0'])
    expect(text).toContain('In the newest list of this conversation that is: “Cincinnati”')
  })

  test.each([
    ['the second service', 'Telemeter'],
    ['the last one', 'Quay'],
    ['number 3', 'Quay'],
    ['the 2nd', 'Telemeter'],
    ['option b', 'Telemeter'],
  ])('%s is %s', async (which, entry) => {
    expect((await ask('u: List all services', services, `u: What about ${which}?`)).quotes[0]).toBe(entry)
  })

  test.each([
    'a: - red\n- green\n- blue',
    'a: You have red, green and blue.',
    'a: The options are red, green, or blue.',
    'u: I am torn between red, green and blue.',
    'a: a) red\nb) green\nc) blue',
  ])('a list is a list however it is written: %s', async (list) => {
    expect((await ask(list, 'u: What was the second one?')).quotes[0]).toBe('green')
  })

  test('a list in one line has entries too', async () => {
    const list = 'u: I need to choose a database: 1. SQLite 2. PostgreSQL 3. DuckDB'
    expect((await ask(list, 'u: Tell me about the second one')).quotes[0]).toBe('PostgreSQL')
    expect((await ask(list, 'u: and the last one?')).quotes[0]).toBe('DuckDB')
  })

  test('the newest list counts', async () => {
    expect((await ask('a: 1. a1\n2. a2', 'a: 1. b1\n2. b2', 'u: The first one?')).quotes[0]).toBe('b1')
  })

  test('an entry that the list does not have is not made up', async () => {
    expect((await ask('u: Colours: red, green, blue', 'u: What is the fifth one?')).text).toMatch(/has only 3 entries/)
  })

  test('that file is the newest file', async () => {
    const { quotes } = await ask(
      'u: The old one is a.ts.',
      'u: I put it into src/app/main.ts yesterday.',
      'a: Good.',
      'u: Where is that file?',
    )
    expect(quotes).toEqual(['I put it into src/app/main.ts yesterday.'])
  })

  test('that namespace is the one that was named', async () => {
    const { quotes } = await ask(
      'u: The key lives in the vault. The namespace is "prod-eu".',
      'u: What is that namespace called?',
    )
    expect(quotes).toEqual(['The namespace is "prod-eu".'])
  })

  test('more about that is more about what was last spoken of', async () => {
    const { quotes } = await ask(
      'u: Who owns Quay?',
      'a: Quay is owned by the Registry team.',
      'u: Tell me more about that',
    )
    expect(quotes).toEqual(['Quay is owned by the Registry team.'])
  })
})

describe('what was said', () => {
  test('a statement is noted in its own words', async () => {
    const { text, entries } = await ask('u: my name is Ada')
    expect(text).toBe('Noted: “my name is Ada”')
    expect(entries).toEqual(['m0'])
    expect((await ask('u: remember: deploy on Friday')).text).toBe('Noted: “remember: deploy on Friday”')
  })

  test('a fact comes back when it is asked for', async () => {
    expect((await ask('u: remember: deploy on Friday', 'a: ok', 'u: When do we deploy?')).quotes).toEqual([
      'remember: deploy on Friday',
    ])
    expect((await ask('u: We meet at 10. The budget is 40,000 euros.', 'u: How much is the budget?')).quotes).toEqual([
      'The budget is 40,000 euros.',
    ])
  })

  test('the newest name is the name', async () => {
    const { quotes } = await ask(
      'u: my name is Ada',
      'a: Noted: “my name is Ada”',
      'u: My name is Grace now.',
      'u: What is my name?',
    )
    expect(quotes).toEqual(['My name is Grace now.'])
  })

  test('its own answers are no sources', async () => {
    const { entries } = await ask(
      'u: my name is Ada',
      'a: Noted: “my name is Ada”',
      'u: What is my name?',
      'a: Earlier in this conversation you said: “my name is Ada”',
      'u: Who am I?',
    )
    expect(entries).toEqual(['m0'])
  })

  test.each([
    ['What did I say first?', 'one thing'],
    ['What was my first message?', 'one thing'],
    ['What did I ask last?', 'another thing'],
    ['What did you say before?', 'noted twice'],
  ])('%s', async (question, quote) => {
    const { quotes } = await ask('u: one thing', 'a: noted', 'u: another thing', 'a: noted twice', `u: ${question}`)
    expect(quotes).toEqual([quote])
  })

  test('results of tools can be quoted', async () => {
    const call = {
      type: 'call',
      id: 'c',
      name: 'look',
      input: {},
      outcome: { state: 'ok', output: [{ type: 'text', text: 'The invoice total is 91.50 EUR.' }] },
    }
    const { quotes, text } = await askMessages(
      [
        { role: 'user', content: 'look' },
        { id: 'm1', role: 'assistant', parts: [call] },
      ],
      'How much is the invoice?',
    )
    expect(quotes).toEqual(['The invoice total is 91.50 EUR.'])
    expect(text).toMatch(/^A tool/)
  })

  test('a message without an id is quoted, but not pointed at', async () => {
    const { text, quotes } = await askMessages([{ role: 'user', content: 'The code is 4711.' }], 'What is the code?')
    expect(quotes).toEqual([])
    expect(text).toContain('“The code is 4711.”')
  })
})

describe('other languages', () => {
  test.each([
    ['我的猫叫小花。', '我的猫叫什么？'],
    ['東京タワーの高さは333メートルです。', '東京タワーの高さは？'],
    ['Население Казани 1,3 миллиона.', 'Какое население?'],
    ['La reunión es el viernes.', '¿Cuándo es la reunión?'],
    ['Der Schlüssel liegt im Tresor.', 'Wo liegt der Schlüssel?'],
    ['عاصمة فرنسا هي باريس.', 'ما هي عاصمة فرنسا؟'],
    ['회의는 금요일에 있습니다.', '회의는 언제?'],
  ])('%s', async (fact, question) => {
    expect((await ask(`u: ${fact}`, 'a: OK.', `u: ${question}`)).quotes).toEqual([fact])
  })
})

describe('laws', () => {
  const atom = fc.constantFrom(
    'the',
    'Ada',
    'owns',
    'it',
    'first',
    'second',
    'list',
    '1.',
    '- x',
    '\n',
    '?',
    '.',
    'what',
    'my name is',
    'file',
    'a.ts',
    'red, green or blue',
    '你好',
    '👩‍👧',
    '“',
    'that',
    'its',
    'remember',
    'é',
    '\ud83d',
    '…',
    'e.g.',
  )
  const words = fc.array(atom, { maxLength: 14 }).map((list) => list.join(' '))

  test('everything quoted stands in the message it is ascribed to, to the letter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 8 }), words, async (history, question) => {
        fc.pre(question.trim() !== '')
        const messages = history.map((content, at) => ({ id: `m${at}`, role: at % 2 ? 'assistant' : 'user', content }))
        const { events, items } = await askMessages(messages, { id: 'now', role: 'user', content: question })
        for (const event of events) {
          if (event.type !== 'quote') continue
          const item = items.find(({ id }) => id === event.entry)
          expect(item?.text).toContain(event.text)
          expect(event.text).not.toBe('')
        }
        expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
      }),
      { numRuns: runs },
    )
  })

  test('the same window gets the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 6 }), async (lines) => {
        fc.pre((lines.at(-1) as string).trim() !== '')
        const asked = lines.map((line) => `u: ${line}`)
        expect((await ask(...asked)).events).toEqual((await ask(...asked)).events)
      }),
      { numRuns: Math.min(runs, 500) },
    )
  })

  test('an answer keeps within its tokens', async () => {
    const { window, items } = windowOf(
      [{ role: 'user', content: `The code is ${'long '.repeat(40)}` }],
      'What is the code?',
    )
    const events = []
    for await (const event of extractive.stream({ window, items, output: 8, signal: new AbortController().signal }))
      events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length', usage: { output: 8 } })
  })

  test('an abort ends it', async () => {
    const { window, items } = windowOf([], 'What is the code?')
    const stream = extractive.stream({ window, items, signal: AbortSignal.abort() })
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toMatchObject({ name: 'AbortError' })
  })
})

function windowOf(messages: readonly unknown[], current: string) {
  const assembled = assemble({ messages, current }, 'balanced', { target: extractive.target, budget: 20_000 })
  if (!assembled.ok) throw new Error(assembled.error.message)
  return assembled
}
