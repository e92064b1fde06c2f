import fc from 'fast-check'
import colors from 'picocolors'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { styled } from './styled.js'

const paint = colors.createColors(true)

function written(...parts: readonly string[]): string {
  const mouth = styled(paint)
  return parts.map(mouth.take).join('') + mouth.end()
}

const bare = (text: string): string => text.replace(/\x1b\[\d+m/g, '')

test('headings, bold words, code, fences and lists are painted, and their marks are gone', () => {
  expect(written('# Tea\n')).toBe(`${paint.bold('Tea')}\n`)
  expect(written('It is **blue** today')).toBe(`It is ${paint.bold('blue')} today`)
  expect(written('run `npm test` now')).toBe(`run ${paint.cyan('npm test')} now`)
  expect(written('- one\n- two\n')).toBe('• one\n• two\n')
  expect(written('```js\nconst a = 1\n```\ndone')).toBe(`${paint.cyan('const a = 1')}\ndone`)
})

test('what is no mark stays as it is', () => {
  for (const text of ['2 * 3 * 4', '#hash', 'a\n\nb', '---', '1. first', 'C# and F#', '-5', 'a_b_c'])
    expect(written(text)).toBe(text)
})

test('an answer reads the same however it is cut into pieces', () => {
  const piece = fc.constantFrom('**', '*', '`', '```', '# ', '- ', '\n', 'word', ' ', '5', '你')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(60), (pieces, at) => {
      const text = pieces.join('')
      expect(bare(written(text.slice(0, at), text.slice(at)))).toBe(bare(written(text)))
    }),
    { numRuns: runs },
  )
})
