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

  test('are never markup of their own', () => {
    const hostile =
      '**<img src=x onerror=alert(1)>** `<script>` | "\' &\n\n| <b> | x |\n|---|---|\n| </td><script> | y |'
    expect(textHtml(hostile).replace(/<\/?(?:p|strong|code|table|thead|tbody|tr|th|td)>/g, '')).not.toMatch(/[<>"']/)
  })
})
