import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pictureOf } from '../../core/profile/picture.js'
import { shownToClaude } from './files.fixture.js'
import { shrunkPicture } from './shrink-picture.js'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 10, g: 120, b: 200, alpha: 0.5 } } })
const png = async (width: number, height: number): Promise<string> =>
  (await blank(width, height).png().toBuffer()).toString('base64')

test('a picture with too long a side is sent, smaller', async () => {
  const [, shown] = await shownToClaude([await png(9_000, 90)], 'image/png')
  expect(shown?.source?.media_type).toBe('image/jpeg')
  expect(pictureOf(shown?.source?.data ?? '')).toEqual({ mediaType: 'image/jpeg', width: 8_000, height: 80 })
})

test('a picture of too many bytes is sent, smaller', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const heavy = await sharp({ create: { width: 1_400, height: 1_400, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer()
  expect(heavy.toString('base64').length).toBeGreaterThan(5_242_880)
  const [, shown] = await shownToClaude([heavy.toString('base64')], 'image/png')
  expect(shown?.source?.data.length).toBeLessThanOrEqual(5_242_880)
})

test('one of many pictures is shrunk to what many may have, and none is left out', async () => {
  const small = await png(10, 10)
  const shown = await shownToClaude([...Array<string>(24).fill(small), await png(2_500, 25)], 'image/png')
  const sizes = shown.flatMap(({ source }) => (source ? [pictureOf(source.data)] : []))
  expect(sizes).toHaveLength(25)
  expect(sizes.at(-1)).toMatchObject({ width: 2_000 })
  expect(shown[1]?.source?.data).toBe(small)
})

test('a picture of a kind that the provider does not take is sent as one that it takes', async () => {
  const tiff = (await blank(40, 40).tiff().toBuffer()).toString('base64')
  const [, shown] = await shownToClaude([tiff], 'image/tiff')
  expect(shown?.source?.media_type).toBe('image/jpeg')
})

test('what is no picture is told in words, and the conversation goes on', async () => {
  const [, shown] = await shownToClaude([Buffer.from('no picture at all').toString('base64')], 'image/png')
  expect(shown).toMatchObject({ type: 'text', text: '[image not sent]' })
  const limits = { types: ['image/jpeg'], bytes: 10, side: 10 }
  expect(await shrunkPicture(new Uint8Array(8), limits)).toBeUndefined()
})
