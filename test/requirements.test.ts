import { describe, expect, test } from 'vitest'
import { citations, coverage, listing } from './lib/coverage.js'
import type { Requirement } from './lib/requirement.js'
import { isSuite, isTest, readTree } from './lib/tree.js'
import { built, requirements } from './requirements.js'

describe('the requirements', () => {
  const files = { ...readTree('src', isTest), ...readTree('test', isTest) }
  const suites = readTree('test', isSuite)
  const tests = { ...files, ...suites }
  const { missing, unknown } = coverage(requirements, built, tests)

  test('of every room that stands are proved by a test that cites them', () => {
    expect(missing, `${missing.length} requirements have no test:\n${listing(missing)}\n`).toHaveLength(0)
  })

  test('count in a suite only because a test runs it', () => {
    const run = Object.values(files).join('\n')
    const name = (path: string) => path.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? path
    expect(Object.keys(suites).filter((path) => !run.includes(`/${name(path)}'`))).toEqual([])
  })

  test('that tests cite are all known', () => {
    expect(unknown).toEqual([])
  })

  test('have ids of their own', () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test.each([
    ['S0-', 1, 52],
    ['S0-F', 1, 3],
    ['S0-P', 1, 6],
    ['S1-', 1, 30],
    ['S1-F', 1, 10],
    ['S1-P', 1, 1],
    ['S2-', 1, 35],
    ['S2-F', 1, 1],
    ['S3-', 1, 18],
    ['S3-P', 1, 10],
    ['S3-F', 1, 4],
    ['S4-', 1, 21],
    ['S4-F', 1, 5],
    ['L-', 1, 32],
    ['P-', 1, 31],
    ['X-', 1, 8],
    ['T-', 1, 97],
    ['G0-', 1, 5],
    ['G1-', 1, 2],
    ['G2-', 1, 7],
    ['G3-', 1, 4],
    ['G4-', 1, 5],
  ])('%s runs from %i to %i without a gap', (prefix, first, last) => {
    const numbers = requirements
      .filter(({ id }) => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)))
      .map(({ id }) => Number(id.slice(prefix.length)))
    expect(numbers).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
  })
})

describe('the scanner', () => {
  const known: Requirement[] = [
    { id: 'S0-1', kind: 'R', room: 'core', says: 'one' },
    { id: 'S0-F2', kind: 'F', room: 'core', says: 'two' },
    { id: 'T-03', kind: 'regression', room: 'store', says: 'three' },
  ]

  test('finds a requirement that no test cites, and lists it under its specification', () => {
    const { missing } = coverage(known, ['core'], { 'a.test.ts': `test('one ${'[S0-1]'}', () => {})` })
    expect(missing.map(({ id }) => id)).toEqual(['S0-F2'])
    expect(listing(missing)).toBe('S0 (1)\n  S0-F2   two')
  })

  test('asks nothing of a room that is not built', () => {
    expect(coverage(known, [], {}).missing).toEqual([])
  })

  test('finds a citation of an unknown id', () => {
    const { unknown } = coverage(known, [], { 'a.test.ts': `test('${'[S0-9]'} ${'[T-03]'}', () => {})` })
    expect(unknown).toEqual(['a.test.ts: S0-9'])
  })

  test.each([
    ['several ids', `test('a [S0-1] [G0-1]', f)`, ['S0-1', 'G0-1']],
    ['it', `it("a [S0-1]", f)`, ['S0-1']],
    ['a template', 'for (const p of presets) test(`${p}: a [P-01]`, f)', ['P-01']],
    ['a title on its own line', `test(\n  'a [P-01]',\n  f,\n)`, ['P-01']],
    ['a table', `test.each([['(', 1], [')', 2]])('a %s [L-27]', f)`, ['L-27']],
    ['a modifier', `test.concurrent('a [X-1]', f)`, ['X-1']],
  ])('reads the title of %s', (_, source, ids) => {
    expect(citations(source)).toEqual(ids)
  })

  test.each([
    ['a comment', `// test('a [S0-1]', f)`],
    ['a body', `test('a', () => expect(list).toEqual(['[S0-1]']))`],
    ['a skipped test', `test.skip('a [S0-1]', f)`],
    ['a test to be written', `test.todo('a [S0-1]')`],
    ['an index', 'const x = list[P-1]'],
    ['a word in brackets', `test('marks [TRUNCATED] and [1]', f)`],
  ])('does not count %s', (_, source) => {
    expect(citations(source)).toEqual([])
  })
})
