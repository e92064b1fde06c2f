import { describe, expect, test } from 'vitest'
import { storeSuite } from '../../src/testing/index.js'
import { openMemory } from './memory.js'

const cases = storeSuite({ open: async () => openMemory() })

describe('the memory store', () => {
  for (const { name, run } of cases) test(name, run)
})

describe('the suite', () => {
  test('names each case once', () => {
    const names = cases.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})
