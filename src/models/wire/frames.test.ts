import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { framer } from './frames.js'

const feed = (kind: 'events' | 'lines', bytes: Uint8Array, cuts: readonly number[]): string[] => {
  const frames = framer(kind)
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length]
  return edges.slice(1).flatMap((edge, at) => frames.push(bytes.subarray(edges[at], edge)))
}

test('events are the same however their bytes are cut, and whatever ends their lines', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replace(/[\r\n]/g, ''))
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 9 }),
      (events, end, cuts) => {
        const sse = events.map((data) => `: note${end}event: x${end}data: ${data}${end}${end}`).join('')
        // a carriage return at the very end may be half of a line break
        const bytes = Buffer.from(`${sse}:${end}:`)
        expect(feed('events', bytes, cuts)).toEqual(events)
      },
    ),
    { numRuns: runs },
  )
})

test('an event of several lines is one', () => {
  expect(feed('events', Buffer.from('data: a\ndata:b\ndata\n\n'), [])).toEqual(['a\nb\n'])
})

test('what is half there waits', () => {
  const frames = framer('lines')
  expect(frames.push(Buffer.from('{"a":1}\n{"b"'))).toEqual(['{"a":1}'])
  expect(frames.waiting).toBe(4)
  expect(frames.push(Buffer.from(':2}\n\n'))).toEqual(['{"b":2}'])
})

test('bytes that are no text, and lines that are no fields, are errors', () => {
  expect(() => framer('events').push(Uint8Array.of(0x64, 0xff))).toThrow()
  expect(() => framer('events').push(Buffer.from('<html lang="en">\n'))).toThrow()
})
