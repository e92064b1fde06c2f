import { describe, expect, test } from 'vitest'
import { anthropic } from './anthropic.js'
import { bedrock } from './bedrock.js'
import { chatCases, chatGood } from './chat.fixture.js'
import { claudeGood } from './claude-good.fixture.js'
import { claudeMediaCases } from './claude-media.fixture.js'
import { claudeShapeCases } from './claude-shape.fixture.js'
import { claudeThinkingCases } from './claude-thinking.fixture.js'
import { claudeThinking } from './claude-thinking.js'
import { compatibleCases, compatibleGood } from './compatible.fixture.js'
import { compatible } from './compatible.js'
import { geminiCases, geminiGood } from './gemini.fixture.js'
import { gemini } from './gemini.js'
import { judge, type Refusal, rulesFor } from './judge.js'
import { openaiChat } from './openai-chat.js'
import { openaiResponses } from './openai-responses.js'
import { responsesCases } from './responses.fixture.js'
import { responsesGood } from './responses-good.fixture.js'
import { type JudgeRequest, scopeOf } from './scope.js'

const cases = [
  ...claudeShapeCases,
  ...claudeMediaCases,
  ...claudeThinkingCases,
  ...chatCases,
  ...responsesCases,
  ...geminiCases,
  ...compatibleCases,
]
const examples = [...claudeGood, ...chatGood, ...responsesGood, ...geminiGood, ...compatibleGood]
const tables = [anthropic, claudeThinking, bedrock, openaiChat, openaiResponses, gemini, ...Object.values(compatible)]
const short = (found: readonly Refusal[]) => found.map(({ rule, message }) => `${rule} ${message}`)
const without = (request: JudgeRequest, id: string) =>
  judge(
    request,
    rulesFor(scopeOf(request)).filter((rule) => rule.id !== id),
  )

describe.each(cases.map((one, index) => ({ ...one, name: `${index} ${one.rule}` })))(
  '$name: $says',
  ({ rule, says, bad, good }) => {
    test('refuses the bad body in the words of the provider', () => {
      const found = judge(bad).filter((refusal) => refusal.rule === rule)
      expect(found.map(({ message }) => message).join('\n')).toContain(says)
    })

    test('lets its neighbour pass', () => {
      expect(short(judge(good))).toEqual([])
    })

    test('is alone in refusing it: a judge without the rule lets it pass', () => {
      expect(short(without(bad, rule))).toEqual([])
    })
  },
)

test('every rule of every table has a bad body', () => {
  const tried = new Set(cases.map(({ rule }) => rule))
  expect([...new Set(tables.flat().map(({ id }) => id))].filter((id) => !tried.has(id))).toEqual([])
})

describe('no false alarm on', () => {
  test.each(examples.map((request, index) => ({ request, name: `${index} ${request.provider}` })))(
    '$name',
    ({ request }) => {
      expect(short(judge(request))).toEqual([])
    },
  )

  test('two hundred different bodies', () => {
    expect(new Set(examples.map((request) => JSON.stringify(request))).size).toBeGreaterThanOrEqual(200)
  })
})
