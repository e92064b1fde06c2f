import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

type Hits = readonly { readonly message_id: string; readonly why?: string; readonly score?: number }[]
const hitsOf = ({ items: hits }: Readonly<Record<string, unknown>>) => hits as Hits

describe('search', () => {
  test('finds by meaning and by both, and tells by what', async () => {
    const near = await at.json(['search', 'typeface', '--mode', 'semantic'])
    expect(near).toMatchObject({ warnings: [] })
    expect(hitsOf(near)[0]).toMatchObject({ message_id: 'template-1', why: 'meaning' })
    const both = await at.tl(['search', 'green', 'tea', '--mode', 'hybrid'])
    expect(both.stdout).toMatch(/by both.*\n {2}Is «green» «tea» cheaper\?/)
    expect(await at.tl(['search', 'tea', '--mode', 'psychic'])).toMatchObject({ code: 2 })
  })
})

describe('reindex', () => {
  test('makes anew what messages are found by, and nothing is left to do', async () => {
    const before = hitsOf(await at.json(['search', 'tea']))
    expect(await at.json(['reindex'])).toEqual({
      schema: 'throughline.reindex/1',
      words: 8,
      meaning: 8,
      resumed: false,
    })
    expect((await at.tl(['reindex'])).stdout).toBe('8 messages by their words, 8 by their meaning\n')
    expect(hitsOf(await at.json(['search', 'tea']))).toEqual(before)
  })
})
