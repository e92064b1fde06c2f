import { expect, test } from 'vitest'
import { dot } from './embedder.js'
import { tableEmbedder } from './table.js'

const near = async (one: string, other: string): Promise<number> => {
  const { embed } = await tableEmbedder()
  const [a, b] = await embed([one, other])
  return dot(a as Float32Array, b as Float32Array)
}

test('what means the same is nearer than what does not', async () => {
  expect(await near('my puppy', 'a young dog')).toBeGreaterThan(await near('my puppy', 'the tax form'))
  expect(await near('she relocated', 'she moved to another city')).toBeGreaterThan(await near('she relocated', 'bread'))
})

test('vectors have the length one, or none for a text without words', async () => {
  const { embed, dimensions } = await tableEmbedder()
  const [said, nothing] = await embed(['a walk in the park', '…'])
  expect(said).toHaveLength(dimensions)
  expect(dot(said as Float32Array, said as Float32Array)).toBeCloseTo(1, 5)
  expect(dot(nothing as Float32Array, nothing as Float32Array)).toBe(0)
})

test('a table that is not there is an error', async () => {
  await expect(tableEmbedder(new URL('./table/none.bin', import.meta.url))).rejects.toThrow('ENOENT')
})
