/** The tables of docs/specifications: what is proved at which door. `npm run specifications` writes them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markdownOf, rowsOf, specifications, wordsOf } from '../lib/specifications.js'
import { isSuite, isTest, readTree, root } from '../lib/tree.js'
import { requirements } from '../requirements.js'

const tests = { ...readTree('src', isTest), ...readTree('test', isTest), ...readTree('test', isSuite) }
const rows = rowsOf(requirements, tests)
const heading = '\n## Every demand of it\n'

for (const { id, title, door } of specifications) {
  const page = join(root, 'docs', 'specifications', `${id.toLowerCase()}.md`)
  const own = rows.filter((row) => row.id.startsWith(`${id}-`))
  const table = `${heading}\nDoor: ${door}\n\n${markdownOf(own)}\n`

  test(`the page of ${id} has its title and the table of what it demands [C-26]`, () => {
    const text = readFileSync(page, 'utf8')
    const before = text.split(heading)[0]?.trimEnd() ?? ''
    if (process.env.THROUGHLINE_SPECIFICATIONS === 'write') writeFileSync(page, `${before}\n${table}`)
    // which file proves it may change; what is demanded, and how we stand to it, may not without the page
    const lines = readFileSync(page, 'utf8').split('\n')
    for (const row of own) {
      const line = lines.find((one) => one.startsWith(`| ${row.id} | `)) ?? ''
      expect(line, `${row.id} is not on its page; npm run specifications writes it`).not.toBe('')
      if (row.verdict !== 'people') expect(line).toContain(row.why)
      expect(line).toContain(`| ${wordsOf(row.verdict)}`)
    }
    expect(before).toContain(title)
    for (const word of ['## Its door', '## Its constants', '## What differs']) expect(before).toContain(word)
  })
}

test('every demand is proved through its own door, and every difference has a number', () => {
  expect(rows.filter(({ verdict }) => verdict === 'unproved').map(({ id }) => id)).toEqual([])
  const away = rows.filter(({ verdict }) => verdict === 'elsewhere')
  expect(away.map(({ id, proof }) => `${id}: ${proof.join(' ')}`)).toEqual([])
  expect(rows.filter(({ verdict, why }) => verdict === 'differs' && !/^[KD]\d*/.test(why)).map(({ id }) => id)).toEqual(
    [],
  )
  expect(rows.filter(({ verdict }) => verdict === 'people').map(({ id }) => id)).toEqual(['S0-47', 'S1-26'])
})

test('a demand that no test names, or only one elsewhere, is told as such', () => {
  const known = [{ id: 'S4-4', kind: 'R', room: 'service', says: 'x' } as const]
  expect(rowsOf(known, {})[0]?.verdict).toBe('unproved')
  const title = `test('x ${'[S4-4]'}', f)`
  expect(rowsOf(known, { 'test/engine/a.test.ts': title })[0]?.verdict).toBe('elsewhere')
  expect(rowsOf(known, { 'test/doors/s4.test.ts': title })[0]?.verdict).toBe('holds')
})
