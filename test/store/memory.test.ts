import { describe, test } from 'vitest'
import { memoryStore } from '../../src/store/memory/store.js'
import { storeSuite } from '../../src/testing/index.js'

describe('the memory store', () => {
  for (const { name, run } of storeSuite({ open: async () => memoryStore() })) test(name, run)
})
