import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calm } from '../../web/markdown/calm.js'
import { grow, type Lexed, lex } from '../../web/markdown/lex.js'
import { decoded, safeAddress } from '../../web/markdown/link.js'
import { runs } from '../runs.js'

const pieces = [
  'A paragraph with **bold** and `code`.\n\n',
  'A line\nand another\n\n',
  '# Head\n\n',
  'Set\n===\n\n',
  '- one\n- two\n  - below\n\n',
  '1. first\n2. second\n\n',
  '| a | b |\n|---|--:|\n| 1 | 2 |\n\n',
  '```ts\nconst a = `x`\n\n# no head\n```\n\n',
  '> quoted\n> more\n\n',
  '    indented\n\n',
  '$$\nx^2\n$$\n\n',
  '---\n\n',
  '<b>html</b>\n\n',
  'tabs\there\r\nand returns\r\n\r\n',
  'no end',
  '\n',
]
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''))
const shape = (tokens: readonly { readonly type: string; readonly raw: string }[]): string =>
  tokens.map(({ type, raw }) => `${type}:${raw.trim()}`).join('\n')

describe('a text that grows', () => {
  test('ends as the whole of it, however it was cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        let held: Lexed | null = null
        for (let at = 0, turn = 0; at < text.length; turn++) {
          at = Math.min(text.length, at + (sizes[turn % sizes.length] as number))
          held = grow(held, text.slice(0, at))
        }
        // the last block may be closed ahead of its end; those before it are as they will be
        const grown = (held?.tokens ?? []).filter(({ type }) => type !== 'space').slice(0, -2)
        const whole = lex(text).filter(({ type }) => type !== 'space')
        expect(shape(grown)).toBe(shape(whole.slice(0, grown.length)))
      }),
      { numRuns: runs },
    )
  })

  test('a formula ends before an empty line, so that dollars far below make none of what is finished', () => {
    const text = 'no end$$\nx^2\n$$\n\nA paragraph.\n\n$$\nx^2\n$$\n\n'
    const types = lex(text).flatMap(({ type }) => (type === 'space' ? [] : [type]))
    expect(types).toEqual(['paragraph', 'paragraph', 'blockMath'])
  })

  test('keeps the blocks that are finished as they are', () => {
    const text = pieces.slice(0, 8).join('')
    const before = grow(null, text)
    const after = grow(before, `${text}And more`)
    expect(before.tokens.length).toBeGreaterThan(8)
    const kept = before.tokens.filter((token, at) => after.tokens[at] === token)
    expect(kept.length).toBeGreaterThanOrEqual(before.tokens.length - 5)
  })

  test.each([
    ['| a | b |', 'table'],
    ['| a | b |\n| -', 'table'],
    ['```ts\nconst a', 'code'],
  ])('%j is a %s from its first line on', (text, type) => {
    expect(grow(null, text).tokens.at(-1)?.type).toBe(type)
  })

  test.each([
    ['some **bo', '<strong>'],
    ['some `co', '<codespan>'],
    ['a [link](https://exa', 'a link'],
  ])('%j shows no marks that are still open', (text, wanted) => {
    const [token] = grow(null, text).tokens
    const inner = (token as { tokens?: { type: string; text: string }[] }).tokens ?? []
    const said = inner.map(({ type, text }) => (type === 'text' ? text : `<${type}>`)).join('')
    expect(said).toContain(wanted)
    expect(said).not.toMatch(/[*`[]/)
  })
})

describe('an address', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' \u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript:alert(1)',
    'java&#x09;script:alert(1)',
    'java&Tab;script:alert(1)',
    'javascript\u{ff1a}alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'view-source:https://a.example',
    '//evil.example/x',
    '/api/v1/system',
    '#/c/other',
    '',
  ])('%j leads nowhere', (href) => {
    expect(safeAddress(href)).toBeNull()
  })

  test.each([
    ['https://a.example/x?a=1&amp;b=2', 'https://a.example/x?a=1&b=2'],
    ['HTTP://A.example', 'http://a.example/'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['https://аpple.example', 'https://xn--pple-43d.example/'],
  ])('%j is opened as %j', (href, opened) => {
    expect(safeAddress(href)).toBe(opened)
  })

  test('a character reference is its character, and nothing else is touched', () => {
    expect(decoded('a &amp; b &lt; &#65; &#x1F600; &nothing; &#0; &#xD800;')).toBe('a & b < A 😀 &nothing; � �')
  })
})

test('a text that is all marks is shown as it is, and one that is nested too deep', () => {
  const hostile = ['[', '*a ', '_a', '<a ', '[a](', '**a *b ', 'a@', '\\(', '$a '].map((mark) => mark.repeat(20_000))
  for (const text of hostile) {
    const [token] = lex(text)
    const inner = (token as { tokens?: readonly { text: string }[] }).tokens
    expect(inner?.length ?? 1).toBe(1)
  }
  for (const text of ['>'.repeat(20_000), '- a\n'.repeat(20_000)])
    expect(lex(text)).toMatchObject([{ type: 'html', text }])
})

/** What has cost others a time that grows with the square of the length, or worse. */
const costly: readonly (readonly [string, (size: number) => string])[] = [
  ...[
    '[',
    '![',
    '*a ',
    '_a_',
    '**a *b ',
    '<a ',
    '[a](',
    '[a][',
    'a@',
    '\\(',
    '$a ',
    '`a ',
    '~~a ',
    '&a',
    '<!--',
    'http://',
  ].map((mark) => [mark, (size: number) => mark.repeat(size / mark.length)] as const),
  ['a table', (size) => `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${`|${'b|'.repeat(50)}\n`.repeat(size / 102)}`],
  ['blanks', (size) => `a${' '.repeat(size)}b`],
  ['lines', (size) => `a${'\n'.repeat(size)}b`],
  ['references', (size) => '[a]: b\n'.repeat(size / 7)],
  ['fences', (size) => '```\n'.repeat(size / 4)],
  ['quotes', (size) => '> '.repeat(size / 2)],
  ['rules', (size) => '* '.repeat(size / 2)],
  [
    'lists in lists',
    (size) =>
      Array.from({ length: 60 }, (_, n) => `${'  '.repeat(n)}- a\n`)
        .join('')
        .repeat(size / 4_000),
  ],
]

test.each(costly)(
  'hostile markdown costs linear time: %s [T-85]',
  (_, made) => {
    // at four times the size that took others seconds, a square of it would take longer than a test may
    const text = made(180_000)
    expect(
      lex(text)
        .map(({ raw }) => raw)
        .join('').length,
    ).toBeGreaterThan(0)
  },
  20_000,
)

test.each(costly)(
  'and as it grows: %s [T-85]',
  (_, made) => {
    const text = made(20_000)
    let held: Lexed | null = null
    for (let at = 0; at < text.length; at += 200) held = grow(held, text.slice(0, at + 200))
    expect(held?.text).toBe(text)
  },
  20_000,
)

test.each([
  ['a [link](https://a.exam', 'a link'],
  ['an ![image](https://a.exam', 'an image'],
  ['[one](a) [two](b', '[one](a) two'],
  ['[one](a) and', '[one](a) and'],
  ['a [b', 'a [b'],
  ['a](b', 'a](b'],
  ['[a\n](b', '[a\n](b'],
])('%j is calmed to %j', (text, calmed) => expect(calm(text)).toBe(calmed))
