import { describe, expect, test } from 'vitest'
import { rows } from '../../testing/torture/rows.js'
import { targets } from '../message/target.js'
import { check } from './check.js'
import { rules } from './rules.js'

/** The rows that say what is legal, or that another row's rule decides first. */
const elsewhere: Readonly<Record<string, string>> = {
  'A-27': 'calls without tools are legal',
}

describe('rules that were collected from refusals', () => {
  test.each(rows.map((row, i) => [`${row.code} ${row.rule} ${row.target} ${i}`, row] as const))(
    '%s: the refused request breaks this rule alone, in the provider’s words, and the other one none',
    (_, { code, rule, target, context, bad, good }) => {
      expect(check(target, good, context)).toEqual([])
      const found = check(target, bad, context)
      expect([...new Set(found.map((violation) => violation.rule))]).toEqual([rule])
      const written = rules[target].find((one) => one.rule === rule)
      if (code !== 'O-11') expect(written?.code).toBe(code)
      expect(found[0]?.wording).toBe(written?.wording)
    },
  )

  test('each of them has a refused and an accepted request', () => {
    const written = new Set(targets.flatMap((target) => rules[target].flatMap(({ code }) => code ?? [])))
    const proven = new Set(rows.map(({ code }) => code))
    expect([...written].filter((code) => !proven.has(code) && !(code in elsewhere))).toEqual([])
  })

  test('each says what is done about it and where it was seen', () => {
    for (const target of targets)
      for (const { rule, code, repair } of rules[target]) if (code) expect(`${rule}: ${repair ?? ''}`).toMatch(/: \S/)
  })
})

test('calls without tools are legal at Anthropic', () => {
  const messages = [
    { role: 'user', content: 'So?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Rain' }] },
  ]
  expect(check('anthropic', { messages })).toEqual([])
})
