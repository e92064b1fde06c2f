/** Conversations that go on: signed thinking, tool loops and images, cut, summarised and handed from model to model. */
import { describe, expect, test } from 'vitest'
import { prefixHash } from '../../src/core/profile/prefix.js'
import { withBreakpoints } from '../../src/core/render/cache.js'
import { check } from '../../src/core/rules/check.js'
import { type AnthropicRequest, assemble } from '../../src/index.js'
import { type Issued, issue, judge } from '../../src/testing/judge/index.js'
import { png } from '../../src/testing/torture/pictures.js'

type Fields = Readonly<Record<string, unknown>>

/** A provider that keeps what it issued and refuses what its documents refuse. */
function provider() {
  const issued: Issued[] = []
  let count = 0
  return {
    ask(body: AnthropicRequest & Fields, calls: boolean): Fields {
      expect(judge({ provider: 'anthropic', body, issued })).toEqual([])
      expect(check('anthropic', body)).toEqual([])
      const signature = btoa(`proof-${String(count++).padStart(6, '0')}`)
      const reply = [
        { type: 'thinking', thinking: `Thought ${count}.`, signature },
        ...(calls ? [{ type: 'tool_use', id: `toolu_${count}`, name: 'look', input: { n: count } }] : []),
        ...(calls ? [] : [{ type: 'text', text: `Answer ${count}. ${'And so on. '.repeat(40)}` }]),
      ]
      issued.push(...issue({ provider: 'anthropic', body }, reply))
      return { role: 'assistant', content: reply }
    },
  }
}

const tools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]

/** One conversation; `modelOf` says who answers each turn. Returns how many thinking blocks were sent back. */
function converse(modelOf: (turn: number) => string, budget: number, summarised = false): number {
  const { ask } = provider()
  const messages: Fields[] = []
  let replayed = 0
  const step = (model: string, calls: boolean): Fields => {
    const adaptive = !/4-5/.test(model)
    const thinking = adaptive ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: 1_024 }
    const covered = messages.findLast((message, i) => message.role === 'user' && i < messages.length - 8)
    const summary =
      summarised && covered ? { summary: { text: 'They looked around.', until: covered.id as string } } : {}
    const made = assemble({ messages, system: 'You help.', tools, ...summary }, 'balanced', {
      target: 'anthropic',
      model,
      budget,
      thinking: true,
    })
    if (!made.ok) throw new Error(made.error.message)
    const body = withBreakpoints({ model, max_tokens: 4_000, thinking, ...made.rendered })
    replayed += body.messages.flatMap(({ content }) => content).filter(({ type }) => type === 'thinking').length
    const reply = ask(body, calls)
    const prefix = prefixHash(made.rendered, made.rendered.messages.length)
    const [first, ...rest] = reply.content as readonly Fields[]
    const think = { type: 'think', text: first?.thinking, signature: first?.signature, prefix }
    return { ...reply, id: `m${messages.length}`, model, content: [think, ...rest] }
  }
  for (let turn = 0; turn < 14; turn++) {
    const model = modelOf(turn)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(600, 400) } }
    const text = { type: 'text', text: `Question ${turn}. ${'Some words. '.repeat(30)}` }
    messages.push({ role: 'user', id: `m${messages.length}`, content: turn % 3 === 0 ? [image, text] : [text] })
    for (let loop = 0; loop < turn % 3; loop++) {
      const made = step(model, true)
      messages.push(made)
      const call = (made.content as readonly Fields[]).find(({ type }) => type === 'tool_use')
      const output = [{ type: 'text', text: 'Found. '.repeat(60) }, ...(loop === 1 ? [image] : [])]
      const result = {
        type: 'tool_result',
        tool_use_id: call?.id,
        content: output,
        ...(loop === 1 && { is_error: true }),
      }
      messages.push({ role: 'user', id: `m${messages.length}`, content: [result] })
    }
    messages.push(step(model, false))
  }
  return replayed
}

describe.each([
  ['whole', 200_000, false],
  ['cut again and again', 9_000, false],
  ['cut and summarised', 9_000, true],
] as const)('a conversation that is %s is never refused', (_, budget, summarised) => {
  test.each([
    ['a model that binds thinking to its prefix', (): string => 'claude-opus-5-5'],
    ['a model that thinks adaptively', (): string => 'claude-opus-4-8'],
    ['a model that thinks by a budget', (): string => 'claude-sonnet-4-5'],
  ] as const)('by %s, and its thinking goes back', (_name, modelOf) => {
    expect(converse(modelOf, budget, summarised)).toBeGreaterThan(0)
  })

  test('by models that change within the family and back', () => {
    const models = ['claude-opus-5-5', 'claude-opus-5-5', 'claude-opus-4-8', 'claude-sonnet-4-5']
    converse((turn) => models[turn % models.length] as string, budget, summarised)
  })
})

test('thinking without a known prefix goes back only when nothing before it was touched', () => {
  const say = (n: number): Fields[] => [
    { role: 'user', content: `Question ${n} ${'words '.repeat(80)}` },
    {
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'text', text: 'Yes.' },
      ],
    },
  ]
  const messages = [...say(0), ...say(1), ...say(2)]
  const thoughts = (budget: number): number => {
    const made = assemble({ messages, current: 'So?' }, 'balanced', {
      target: 'anthropic',
      model: 'claude-opus-5-5',
      budget,
    })
    if (!made.ok) throw new Error(made.error.message)
    return JSON.stringify(made.rendered).split('"thinking","thinking"').length - 1
  }
  expect(thoughts(100_000)).toBe(3)
  expect(thoughts(300)).toBe(0)
})
