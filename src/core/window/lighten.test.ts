import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lighten, mark, wordsIn } from './lighten.js'

const asked = new Set(wordsIn('Which port does the gateway use?'))
const filler = (count: number): string =>
  Array.from({ length: count }, (_, at) => `it goes on and on (${at}).`).join(' ')

test('a short text stays as it is', () => {
  expect(lighten('The gateway listens on port 8080.', asked)).toBe('The gateway listens on port 8080.')
})

test('a long text loses a small part, and nothing of what is asked about', () => {
  const text = `We set it up today. ${filler(20)} The gateway listens on port 8080. ${filler(20)}`
  const light = lighten(text, asked)
  expect(light).toContain(` ${mark} `)
  expect(light).toContain('We set it up today.')
  expect(light).toContain('The gateway listens on port 8080.')
  expect(light.length).toBeLessThan(text.length)
  expect(light.length).toBeGreaterThan(text.length * 0.8)
})

test('a line of code is left out whole', () => {
  const code = Array.from({ length: 40 }, (_, at) => `  const value = compute(other, ${at})`)
  const light = lighten(['Here is what I have:', ...code].join('\n'), asked)
  for (const line of light.split('\n')) expect(['Here is what I have:', mark, ...code]).toContain(line)
})

test('all words about the question: nothing is left out', () => {
  const text = 'The gateway has a port. '.repeat(60)
  expect(lighten(text, asked)).toBe(text)
})

test('whatever it says, what is left are its beginning and its end, and most of its words', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r\n', '. ', '! ', ' ', '\u2028', '\ud83d\ude00 ', '[…]'),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('port ', 'gateway ', 'word ', 'Name ', '42 '),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      const text = pieces.join('')
      const light = lighten(text, asked)
      if (light === text) return
      const starts = [...light.matchAll(/\[…\]/g)].map(({ index }) => index)
      const isSound = starts.some((at) => {
        const end = light.slice(at + mark.length).trim()
        return text.startsWith(light.slice(0, at).trimEnd()) && text.trimEnd().endsWith(end)
      })
      expect(isSound).toBe(true)
      expect(count(light)).toBeGreaterThanOrEqual(Math.floor(count(text) * 0.86))
    }),
  )
})

const count = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
