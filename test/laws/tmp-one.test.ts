import { test } from 'vitest'
import { assemble } from '../../src/index.js'

test('one', () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hello world how are you' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'x'.repeat(9000) },
  ]
  const r = assemble({ messages }, 'session-window', { budget: 1953, model: 'gpt-4o' })
  console.log(
    JSON.stringify(
      r.ok
        ? { i: r.items.map((x) => [x.index, x.fate, x.rule, x.text.slice(0, 120), x.tokens]), b: r.receipt.budget }
        : r.error,
    ),
  )
})
