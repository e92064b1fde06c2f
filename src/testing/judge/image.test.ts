import { expect, test } from 'vitest'
import { dataUrl, sniff } from './image.js'
import { gif, heic, jpeg, png, url, webp } from './judge.fixture.js'

test.each([
  ['image/png', png(300, 200)],
  ['image/jpeg', jpeg(300, 200)],
  ['image/gif', gif(300, 200)],
  ['image/webp', webp(300, 200)],
])('reads the size of %s from its bytes', (media, data) => {
  expect(sniff(data)).toEqual({ media, width: 300, height: 200 })
})

test('knows HEIC, and nothing that only begins like a picture', () => {
  const near = (text: string) => sniff(Buffer.from(text, 'latin1').toString('base64'))
  expect(sniff(heic())?.media).toBe('image/heic')
  expect(['', '.PNG', '\x89PNG', '\xff\xd8', '\xff.\xff', 'GIF8', 'RIFF....WAVE', '....ftypisom'].map(near)).toEqual(
    new Array(8).fill(undefined),
  )
})

test('reads data URLs and leaves addresses alone', () => {
  expect(dataUrl(url('image/png', 'AAAA'))).toEqual({ media: 'image/png', data: 'AAAA' })
  expect(dataUrl('https://example.org/a.png')).toBeUndefined()
})
