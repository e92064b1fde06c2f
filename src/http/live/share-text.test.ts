import { describe, expect, test } from 'vitest'
import { textHtml } from './share-text.js'

describe('shared words', () => {
  test('become lists, quotes, tables, code and emphasis', () => {
    expect(textHtml('a **b** `c**d**` *e*')).toBe('<p>a <strong>b</strong> <code>c**d**</code> <em>e</em></p>')
    expect(textHtml('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
    expect(textHtml('> one\n> two')).toBe('<blockquote><p>one\ntwo</p></blockquote>')
    expect(textHtml('| a | b |\n| --- | --- |\n| 1 | 2 |')).toBe(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    )
    expect(textHtml('```js\n**x**\n```')).toBe('<pre><code>**x**</code></pre>')
    expect(textHtml('2 * 3 * 4')).toBe('<p>2 * 3 * 4</p>')
  })

  test('have headings, numbered lists, lines and links as the app draws them [field report D-7]', () => {
    expect(textHtml('# Plan\nGo **now**')).toBe('<h3>Plan</h3><p>Go <strong>now</strong></p>')
    expect(textHtml('Steps:\n1. one\n2. two')).toBe('<p>Steps:</p><ol><li>one</li><li>two</li></ol>')
    expect(textHtml('Have:\n- a\n- b')).toBe('<p>Have:</p><ul><li>a</li><li>b</li></ul>')
    expect(textHtml('---')).toBe('<hr>')
    expect(textHtml('[x](https://a.example/?q=1&r=2)')).toBe(
      '<p><a href="https://a.example/?q=1&amp;r=2" rel="noopener noreferrer nofollow">x</a></p>',
    )
  })

  test('lead nowhere but to pages of the web', () => {
    for (const hostile of [
      '[x](javascript:alert(1))',
      '[x](data:text/html,<script>)',
      '[x](https://a"onmouseover="alert(1))',
      "[x](https://a'onmouseover='alert)",
      '[<img src=x>](https://a.example)',
      '# <script>alert(1)</script>',
      '1. <img src=x onerror=alert(1)>',
    ]) {
      const html = textHtml(hostile)
      expect(html).not.toMatch(/href="(?!https?:)|<img|<script|"on|'on/)
    }
  })

  test('are never markup of their own', () => {
    const hostile =
      '**<img src=x onerror=alert(1)>** `<script>` | "\' &\n\n| <b> | x |\n|---|---|\n| </td><script> | y |'
    expect(textHtml(hostile).replace(/<\/?(?:p|strong|code|table|thead|tbody|tr|th|td)>/g, '')).not.toMatch(/[<>"']/)
  })
})
