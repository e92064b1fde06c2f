import { expect, test } from 'vitest'
import type { FilePart } from '../message/item.js'
import { estimator } from './estimate.js'
import { families } from './family.js'
import { fileTokens, imageTokens, messageOverhead, schemaTokens } from './size.js'

const counter = estimator('claude')
const file = (mediaType: string, source: FilePart['source']): FilePart => ({ type: 'file', mediaType, source })

test('an image costs the flat most of its family, wherever it lies', () => {
  for (const source of [
    { kind: 'data', base64: 'AAAA' },
    { kind: 'url', url: 'https://x' },
    { kind: 'ref', id: 'f' },
  ] as const) {
    const cost = fileTokens(file('image/png', source), counter, 'claude')
    expect(cost).toBeGreaterThanOrEqual(imageTokens('claude'))
    expect(cost).toBeLessThan(imageTokens('claude') + 20)
  }
})

test('a text file costs its text and its name', () => {
  const part = { ...file('text/plain', { kind: 'text', text: 'some words '.repeat(50) }), name: 'notes.txt' }
  expect(fileTokens(part, counter, 'claude')).toBeGreaterThan(counter.count('some words '.repeat(50)))
})

test('a document costs more the more bytes it has, and at least a page', () => {
  const pdf = (size: number) =>
    fileTokens(file('application/pdf', { kind: 'data', base64: 'A'.repeat(size) }), counter, 'claude')
  expect(pdf(4)).toBeGreaterThan(3_000)
  expect(pdf(400_000)).toBeGreaterThan(pdf(40_000) * 5)
})

test('text sent as bytes costs at most a token a byte, and media by their length', () => {
  const base64 = 'A'.repeat(4_000)
  expect(fileTokens(file('text/csv', { kind: 'data', base64 }), counter, 'claude')).toBeLessThanOrEqual(3_012)
  expect(fileTokens(file('audio/mpeg', { kind: 'data', base64 }), counter, 'gemini')).toBe(72)
})

test('tool schemas cost their JSON and a frame, none cost nothing', () => {
  const tools = [{ name: 'read', description: 'Reads a file', input_schema: { type: 'object', properties: {} } }]
  expect(schemaTokens([], counter)).toBe(0)
  expect(schemaTokens(undefined, counter)).toBe(0)
  for (const family of families.filter((one) => one !== 'o200k' && one !== 'cl100k')) {
    expect(schemaTokens(tools, counter, family)).toBeGreaterThan(counter.count(JSON.stringify(tools)))
  }
})

test("the tools of OpenAI's models cost what its cookbook counts, which is far less than their JSON", () => {
  const parameters = {
    type: 'object',
    properties: {
      location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
      unit: { type: 'string', description: 'The unit of temperature to return', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['location'],
  }
  const tool = {
    type: 'function',
    function: { name: 'get_current_weather', description: 'Get the current weather in a given location', parameters },
  }
  const tokens = schemaTokens([tool], estimator('o200k'), 'o200k')
  expect(tokens).toBeGreaterThan(60)
  expect(tokens).toBeLessThan(estimator('o200k').count(JSON.stringify([tool])) + 12)
})

test('an unknown family has the dearest image, and every message has a frame', () => {
  for (const family of families) {
    expect(imageTokens(family)).toBeLessThanOrEqual(imageTokens('unknown'))
    expect(messageOverhead(family).perMessage).toBeGreaterThanOrEqual(5)
  }
})
