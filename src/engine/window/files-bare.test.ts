/** As it is for everybody who has not installed sharp. */
import { afterAll, expect, test, vi } from 'vitest'

// other files of this worker may have loaded it
vi.resetModules()
vi.doMock('sharp', () => {
  throw new Error("Cannot find package 'sharp'")
})
const { shownToClaude } = await import('./files.fixture.js')
const { canShrink } = await import('./shrink-picture.js')
afterAll(() => {
  vi.doUnmock('sharp')
  vi.resetModules()
})

/** The first bytes of a PNG say its size. */
function headOf(width: number, height: number): string {
  const bytes = Buffer.alloc(64)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

test('without a picture library too large a picture is told in words, and others go as they are', async () => {
  expect(await canShrink()).toBe(false)
  const small = headOf(10, 10)
  const [, large, sent] = await shownToClaude([headOf(9_000, 90), small], 'image/png')
  expect(large).toMatchObject({ type: 'text', text: '[image not sent]' })
  expect(sent?.source?.data).toBe(small)
})
