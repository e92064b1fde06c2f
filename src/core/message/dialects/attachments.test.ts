import { expect, test } from 'vitest'
import { accept, said } from './accept.fixture.js'

test.each([
  [
    'code',
    { type: 'code', language: 'python', content: 'print(1)' },
    { mediaType: 'text/plain', language: 'python', source: { kind: 'text', text: 'print(1)' } },
  ],
  [
    'a diagram',
    { type: 'diagram', language: 'mermaid', content: 'graph TD; A-->B', name: 'flow' },
    { mediaType: 'text/plain', name: 'flow', language: 'mermaid', source: { kind: 'text', text: 'graph TD; A-->B' } },
  ],
  [
    'an image in base64',
    {
      type: 'image',
      content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    {
      mediaType: 'image/png',
      source: {
        kind: 'data',
        base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
    },
  ],
  [
    'an image in a data URL',
    { type: 'image', content: 'data:image/webp;base64,UklGR' },
    { mediaType: 'image/webp', source: { kind: 'data', base64: 'UklGR' } },
  ],
  [
    'an image by address',
    { type: 'image', url: 'https://x.io/a.png', mediaType: 'image/png' },
    { mediaType: 'image/png', source: { kind: 'url', url: 'https://x.io/a.png' } },
  ],
  [
    'a drawing',
    { type: 'image', content: '<svg/>' },
    { mediaType: 'image/svg+xml', source: { kind: 'text', text: '<svg/>' } },
  ],
  [
    'a file in base64',
    { type: 'file', content: 'JVBERi0=', mediaType: 'application/pdf' },
    { mediaType: 'application/pdf', source: { kind: 'data', base64: 'JVBERi0=' } },
  ],
  [
    'a percent-encoded data URL',
    { type: 'file', url: 'data:text/html,%3Cb%3Ehi' },
    { mediaType: 'text/html', source: { kind: 'text', text: '<b>hi' } },
  ],
])('%s', (_, attachment, part) => {
  const decoded = accept({ role: 'user', content: 'Fix this', attachments: [attachment] })
  expect(decoded.parts).toEqual([said('Fix this'), { type: 'file', ...part }])
  expect(decoded.lost).toEqual([])
})

test('an attachment can stand for the content', () => {
  expect(accept({ role: 'user', attachments: [{ type: 'code', content: 'x' }] }).parts).toHaveLength(1)
})

test('older AI SDK attachments are read as well', () => {
  const attachment = { name: 'a.png', contentType: 'image/png', url: 'data:image/png;base64,iVBO' }
  expect(accept({ role: 'user', content: 'See', experimental_attachments: [attachment] }).parts[1]).toEqual({
    type: 'file',
    mediaType: 'image/png',
    name: 'a.png',
    source: { kind: 'data', base64: 'iVBO' },
  })
})

test('what has no content is lost', () => {
  const decoded = accept({ role: 'user', content: 'Hi', attachments: [{ type: 'code' }, null, 'x'] })
  expect(decoded.lost).toEqual([0, 1, 2].map((i) => `attachments[${i}]: an attachment without content`))
  expect(accept({ role: 'user', content: 'Hi', attachments: {} }).lost).toEqual([
    'attachments: attachments are a list, not object',
  ])
})
