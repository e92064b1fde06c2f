import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { cardOf } from './card.js'
import { createCatalogue } from './catalogue.js'

test('cards do not keep the texts alive that they were made of (F-19)', () => {
  setFlagsFromString('--expose-gc')
  const tidy = runInNewContext('gc') as () => void
  const used = (): number => {
    tidy()
    return process.memoryUsage().heapUsed
  }
  const catalogue = createCatalogue()
  const filler = 'harbour '.repeat(4_000)
  const before = used()
  for (let n = 0; n < 300; n++) {
    const text = `${filler} Serial${'q'.repeat(10)}${n} 漢`
    const said = { seq: n + 1, depth: n, contentHash: `${n}`, at: '2026-01-01T00:00:00.000Z', tokens: 1, text }
    catalogue.add(...cardOf(said, 'user', null))
  }
  // 300 texts of 64,000 bytes would be 19 MB
  expect(used() - before).toBeLessThan(8_000_000)
  expect(catalogue.find('harbour')).toHaveLength(600)
}, 60_000)
