import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageOf } from '../scripts/lib/rules-page.mjs'
import { rules } from '../src/core/rules/rules.js'
import { root } from './lib/tree.js'

test('docs/rules.md is what the table says; npm run docs writes it', () => {
  expect(readFileSync(join(root, 'docs/rules.md'), 'utf8')).toBe(pageOf(rules))
})

test('a rule that the page does not have makes it stale', () => {
  const more = { ...rules, messages: [...rules.messages, { rule: 'new.rule', says: 'Something new.' }] }
  expect(pageOf(more)).not.toBe(pageOf(rules))
})
