import { describe, expect, test } from 'vitest'
import { linesOf, measures, namesOf } from '../scripts/lib/measures.mjs'

const sources = {
  'src/core/a.ts': 'export const one = 1\nexport type Two = 2\n',
  'src/core/b.ts': "export function one() {}\nexport { Two } from './a.js'\nconst three = 3\n",
  'src/index.ts': "export { one } from './core/a.js'\n",
}

describe('the measures of the sources', () => {
  test('count the lines of each room, the largest first', () => {
    expect(Object.entries(linesOf(sources))).toEqual([
      ['core', 5],
      ['index', 1],
    ])
  })

  test('find a name that two files make, and count no re-export', () => {
    expect(namesOf(sources)).toEqual({ repeated: [['one', 2]], all: 2 })
  })

  test('refuse too many lines, and too many names that exist twice', () => {
    expect(() => measures({ 'src/core/a.ts': 'x\n'.repeat(200_000) })).toThrow(/src has 200000 lines/)
    expect(() => measures(sources)).toThrow(/50.00 % .* one \(2\)/)
  })
})
