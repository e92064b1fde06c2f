import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { HistoryError } from '../../src/core/message/issue.js'
import { storeSuite } from '../../src/testing/index.js'
import { openMemory } from './memory.js'
import { committing } from './mutants/committing.js'
import { finding } from './mutants/finding.js'
import { meaning } from './mutants/meaning.js'
import { owning } from './mutants/owning.js'
import { reading } from './mutants/reading.js'
import { texts } from './mutants/texts.js'
import { writing } from './mutants/writing.js'

describe('the suite catches a store that', () => {
  for (const { name, by, wrong } of [
    ...reading,
    ...writing,
    ...texts,
    ...owning,
    ...committing,
    ...finding,
    ...meaning,
  ])
    test(name, async () => {
      const cases = storeSuite({
        open: async () => {
          const sound = openMemory()
          return { ...sound, store: { ...sound.store, ...wrong(sound) } }
        },
      })
      const found = cases.find((one) => one.name === by)
      assert.ok(found, `the suite has no case "${by}"`)
      const failure = await found.run().catch((error: unknown) => error)
      expect(failure instanceof assert.AssertionError || HistoryError.is(failure), String(failure)).toBe(true)
    })
})
