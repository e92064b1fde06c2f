import { describe, expect, test } from 'vitest'
import { type Row, rows } from '../../testing/torture/rows.js'
import { targets } from '../message/target.js'
import { check } from './check.js'
import { rules } from './rules.js'

/** The rows that say what is legal, or that another row's rule decides first. */
const elsewhere: Readonly<Record<string, string>> = {
  'A-27': 'calls without tools are legal',
  'O-11': 'an output that answers what the provider keeps is legal',
}

/** How many refusals were collected of each kind, and so on. */
const kinds = { A: 27, C: 6, O: 19, G: 7, D: 4, K: 3, M: 4, Q: 3, V: 5, X: 4, BR: 3 }
const collected = Object.entries(kinds).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, i) => `${kind}-${String(i + 1).padStart(2, '0')}`),
)
const written = targets.flatMap((target) => rules[target].flatMap(({ code }) => code ?? []))

const unwritten = (codes: readonly string[]): readonly string[] =>
  collected.filter((code) => !codes.includes(code) && !(code in elsewhere))

const unproven = (codes: readonly string[], proofs: readonly Row[]): readonly string[] =>
  [...new Set(codes)].filter((code) => !proofs.some((row) => row.code === code) && !(code in elsewhere))

describe('rules that were collected from refusals', () => {
  test.each(rows.map((row, i) => [`${row.code} ${row.rule} ${row.target} ${i}`, row] as const))(
    '%s: the refused request breaks this rule alone, in the provider’s words, and the other one none',
    (_, { code, rule, target, context, bad, good }) => {
      expect(check(target, good, context)).toEqual([])
      const found = check(target, bad, context)
      expect([...new Set(found.map((violation) => violation.rule))]).toEqual([rule])
      const written = rules[target].find((one) => one.rule === rule)
      if (!(code in elsewhere)) expect(written?.code).toBe(code)
      expect(found[0]?.wording).toBe(written?.wording)
    },
  )

  test('each of them is a rule and has a refused and an accepted request', () => {
    expect(unwritten(written)).toEqual([])
    expect(unproven(written, rows)).toEqual([])
  })

  test('a rule without a request, and a refusal without a rule, is noticed', () => {
    for (const code of collected) {
      expect(unwritten(written.filter((one) => one !== code))).toEqual(code in elsewhere ? [] : [code])
      const fewer = rows.filter((row) => row.code !== code)
      expect(unproven(written, fewer)).toEqual(code in elsewhere ? [] : [code])
    }
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
