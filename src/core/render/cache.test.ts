import { expect, test } from 'vitest'
import { check } from '../rules/check.js'
import { type Cacheable, withBreakpoints } from './cache.js'

const long = 'Words that everyone knows. '.repeat(400)
const model = 'claude-sonnet-4-5'
const turns = (count: number): Cacheable => ({
  model,
  system: long,
  messages: [
    ...Array.from({ length: count }, (_, i) => [
      { role: 'user', content: `Question ${i}` },
      { role: 'assistant', content: [{ type: 'text', text: `Answer ${i}` }] },
    ]).flat(),
    { role: 'user', content: 'So?' },
  ],
})
const points = (request: Cacheable): number => JSON.stringify(request).split('"cache_control"').length - 1

test('system, the last finished turn and the end get a breakpoint', () => {
  const marked = withBreakpoints(turns(3))
  expect(points(marked)).toBe(3)
  expect(JSON.stringify(marked.system)).toContain('cache_control')
  expect(JSON.stringify(marked.messages.at(-2))).toContain('cache_control')
  expect(JSON.stringify(marked.messages.at(-1))).toContain('cache_control')
  expect(check('anthropic', marked, { losses: true })).toEqual([])
})

test('a long tool loop gets one more, and never a fifth', () => {
  const loop = Array.from({ length: 30 }, (_, i) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${i}`, name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i}`, content: 'Rain' }] },
  ]).flat()
  const request = turns(2)
  const marked = withBreakpoints({ ...request, messages: [...request.messages, ...loop] })
  expect(points(marked)).toBe(4)
  expect(check('anthropic', marked, { losses: true })).toEqual([])
})

test('what is too short to be cached gets none, and the client’s own stay as they are', () => {
  const short = { model, messages: [{ role: 'user', content: 'Hi' }] }
  expect(withBreakpoints(short)).toBe(short)
  const own = { ...turns(3), system: [{ type: 'text', text: long, cache_control: { type: 'ephemeral', ttl: '1h' } }] }
  expect(withBreakpoints(own)).toBe(own)
})

test('thinking carries none', () => {
  const request = turns(1)
  const thought = [
    { type: 'text', text: 'Yes.' },
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  ]
  const messages = [
    request.messages[0],
    { role: 'assistant', content: thought },
    request.messages[2],
  ] as Cacheable['messages']
  expect(check('anthropic', withBreakpoints({ ...request, messages })).map(({ rule }) => rule)).not.toContain(
    'cache.place',
  )
})
