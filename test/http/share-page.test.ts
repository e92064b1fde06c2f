import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { sharePage } from '../../src/http/live/share-page.js'

beforeAll(build, 120_000)

async function drawn(text: string): Promise<string> {
  const message = { role: 'assistant' as const, text, at: '2026-03-01T10:00:00.000Z', author: null, ai: true }
  const view = {
    title: 'A',
    mode: 'snapshot' as const,
    shortened: false,
    expires_at: '2026-04-01',
    messages: [message],
  }
  return /<article.*<\/article>/s.exec(await sharePage(view as never))?.[0] ?? ''
}

describe('shared words are drawn as the app draws them [field report D-7]', () => {
  test.each([
    ['# Plan\n\nGo **now** with `a`', /<h3>Plan<\/h3><p>Go <strong>now<\/strong> with <code>a<\/code><\/p>/],
    ['Steps:\n1. one\n2. two', /<ol start="1"><li>one<\/li><li>two<\/li><\/ol>/],
    ['| a |\n|---|\n| 1 |', /<th>a<\/th>.*<td>1<\/td>/],
    ['so $x^2$ and \\(y\\)', /<msup><mi>x<\/mi><mn>2<\/mn><\/msup>.*<mi>y<\/mi>/],
    ['$$\n\\frac{1}{2}\n$$', /<math display="block"[^>]*><mfrac>/],
    ['```js\nconst a = 1\n```', /<span class="hljs-keyword">const<\/span>/],
    ['```mermaid\nflowchart LR\nA-->B\n```', /<svg class="diagram"/],
    [
      '[x](https://a.example/?q=1&r=2)',
      /<a href="https:\/\/a\.example\/\?q=1&amp;r=2" [^>]*rel="noopener noreferrer nofollow"/,
    ],
  ])('%j', async (text, html) => {
    expect(await drawn(text)).toMatch(html)
  })

  test('with nothing to press, since the page has no script', async () => {
    expect(await drawn('```js\nconst a = 1\n```')).not.toMatch(/<button|onclick/)
  })
})

test.each([
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>)',
  '[x](https://a"onmouseover="alert(1))',
  '[<img src=x>](https://a.example)',
  '# <script>alert(1)</script>',
  '1. <img src=x onerror=alert(1)>',
  '**<img src=x onerror=alert(1)>** `<script>`\n\n| <b> | x |\n|---|---|\n| </td><script> | y |',
  '$\\href{javascript:alert(1)}{x}$',
  '```mermaid\nflowchart LR\nA["<img src=x onerror=alert(1)>"]-->B\nclick A "javascript:alert(1)"\n```',
  '```js\n</code></pre><script>alert(1)</script>\n```',
])('%j is never markup of its own', async (text) => {
  const html = await drawn(text)
  expect(html).not.toMatch(/href="(?!https?:)|<img|<script/)
  expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*[\s"]on\w+=/)
})
