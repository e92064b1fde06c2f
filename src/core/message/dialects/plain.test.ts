import { expect, test } from 'vitest'
import { jsonData } from './plain.js'
import { newSink } from './read.js'

const copied = (value: unknown) => {
  const sink = newSink()
  return { data: jsonData(value, 'input', sink), lost: sink.lost }
}

test('data is copied, not shared', () => {
  const value = { a: [1, 'b', null, true, { c: {} }] }
  const { data, lost } = copied(value)
  expect(data).toEqual(value)
  expect(data).not.toBe(value)
  expect((data as typeof value).a).not.toBe(value.a)
  expect(lost).toEqual([])
})

test.each([
  ['a function', { a: 1, b: () => 1 }, { a: 1 }, 'input.b: function is not JSON data'],
  ['undefined', { a: 1, b: undefined }, { a: 1 }, 'input.b: undefined is not JSON data'],
  ['a symbol', { a: 1, b: Symbol('s') }, { a: 1 }, 'input.b: symbol is not JSON data'],
  ['a map', { a: new Map([[1, 2]]) }, {}, 'input.a: maps, sets and bytes are not JSON data'],
  ['an entry of a list, whose place is kept', [1, () => 1, 2], [1, null, 2], 'input[1]: function is not JSON data'],
  ['a number that JSON cannot say', { a: Number.NaN }, { a: null }, 'input.a: NaN is not JSON data'],
])('%s is lost', (_, value, data, note) => {
  expect(copied(value)).toEqual({ data, lost: [note] })
})

test('big numbers, dates and addresses become strings', () => {
  const value = { a: 10n ** 20n, b: new Date(0), c: new URL('https://x.io/') }
  expect(copied(value)).toEqual({
    data: { a: '100000000000000000000', b: '1970-01-01T00:00:00.000Z', c: 'https://x.io/' },
    lost: [],
  })
})

test('a cycle is cut; a repeated object is not a cycle', () => {
  const loop: Record<string, unknown> = { a: 1 }
  loop.self = loop
  expect(copied(loop)).toEqual({ data: { a: 1 }, lost: ['input.self: a cycle was cut'] })
  const twin = { x: 1 }
  expect(copied([twin, twin])).toEqual({ data: [{ x: 1 }, { x: 1 }], lost: [] })
})

test('what is deeper than 64 levels is cut', () => {
  const deep = JSON.parse('['.repeat(70) + ']'.repeat(70))
  const { data, lost } = copied(deep)
  expect(JSON.stringify(data)).toBe(`${'['.repeat(64)}null${']'.repeat(64)}`)
  expect(lost).toHaveLength(1)
})

test('a key named __proto__ is data and changes no prototype', () => {
  const { data } = copied(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'))
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  expect((data as { admin?: boolean }).admin).toBeUndefined()
  expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"constructor":1}')
})

test('shared references that would never end are cut', () => {
  let node: unknown = 'leaf'
  for (let i = 0; i < 60; i++) node = [node, node]
  expect(copied(node).lost.length).toBeGreaterThan(0)
})
