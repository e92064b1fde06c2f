import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { type Frame, frameReader } from './sse.js'

const stream =
  ': hello\nretry: 2000\nid: 4\n\nid: 5\r\nevent: text-delta\r\ndata: {"text":"añ😀"}\r\n\r\ndata: a\rdata: b\r\r'

const whole: Frame[] = [
  { id: '4', event: 'message', data: null, retry: 2000 },
  { id: '5', event: 'text-delta', data: '{"text":"añ😀"}', retry: null },
  { id: null, event: 'message', data: 'a\nb', retry: null },
]

test('frames are the same wherever the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 30 }), (cuts) => {
      const read = frameReader()
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const found = edges.flatMap((edge, index) => read(stream.slice(edges[index - 1] ?? 0, edge)))
      // the last \r may be half of a line end, and waits for what follows it
      expect([...found, ...read('\n')]).toEqual(whole)
    }),
    { numRuns: runs },
  )
})

test('a frame that the stream breaks off in is not told', () => {
  expect(frameReader()('id: 7\nevent: text-delta\ndata: {"text":"ha')).toEqual([])
})
