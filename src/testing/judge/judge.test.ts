import { describe, expect, test } from 'vitest'
import { claudeCases, claudeGood } from './claude.fixture.js'
import { judge, type Refusal, rulesFor } from './judge.js'
import { type JudgeRequest, scopeOf } from './scope.js'

const cases = [...claudeCases]
const good = [...claudeGood]
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
      expect(found[0]?.status).toBeGreaterThanOrEqual(400)
    })

    test('lets its neighbour pass', () => {
      expect(short(judge(good))).toEqual([])
    })

    test('is the only rule that refuses it, so the judge without it lets it pass', () => {
      expect(short(without(bad, rule))).toEqual([])
    })
  },
)

describe('no false alarm on', () => {
  test.each(good.map((request, index) => ({ request, name: `${index} ${request.provider}` })))(
    '$name',
    ({ request }) => {
      expect(short(judge(request))).toEqual([])
    },
  )
})
