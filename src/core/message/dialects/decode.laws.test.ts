import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/runs.js'
import { accept } from './accept.fixture.js'
import { decode } from './decode.js'

describe('for any value at all', () => {
  const names = fc.constantFrom(
    ...['role', 'type', 'content', 'parts', 'text', 'tool_calls', 'function', 'name', 'arguments', 'input', 'output'],
    ...[
      'source',
      'data',
      'url',
      'id',
      'call_id',
      'attachments',
      'metadata',
      'timestamp',
      'state',
      'toolName',
      '__proto__',
    ],
    ...['functionCall', 'functionResponse', 'response', 'providerMetadata', 'thinking', 'image_url', 'file', 'summary'],
  )
  const words = fc.constantFrom(
    ...['user', 'assistant', 'system', 'tool', 'tool_use', 'tool_result', 'model', 'function', 'human', 'ai', 'text'],
    ...['thinking', 'image', 'file', 'document', 'reasoning', 'tool-call', 'tool-x', 'dynamic-tool', 'call', 'think'],
    ...[
      'function_call',
      'mcp_call',
      'x_output',
      'image_url',
      'input_audio',
      'output-available',
      'a\ud800',
      '{"a":1}',
      '',
    ],
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      words,
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true, withNullPrototype: true }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  const message = fc.oneof(
    fc.anything(),
    fc.tuple(words, fc.dictionary(names, tree, { maxKeys: 6 })).map(([role, rest]) => ({ ...rest, role })),
    fc.tuple(words, fc.dictionary(names, tree, { maxKeys: 6 })).map(([type, rest]) => ({ ...rest, type })),
  )

  test('the answer is a message or a refusal, never an exception', () => {
    fc.assert(
      fc.property(message, (raw) => {
        const decoded = decode(raw)
        if (decoded.ok) {
          expect(['system', 'user', 'assistant']).toContain(decoded.role)
          for (const part of decoded.parts) expect(['text', 'think', 'file', 'call']).toContain(part.type)
          for (const part of decoded.parts) if (part.type === 'text') expect(part.text).not.toBe('')
        } else expect(decoded.reason).not.toBe('')
      }),
      { numRuns: runs },
    )
  })

  test('the answer is JSON data in which every string is well formed', () => {
    fc.assert(
      fc.property(message, (raw) => {
        const decoded = decode(raw)
        const data = JSON.stringify(decoded)
        expect(JSON.parse(data)).toEqual(decoded)
        expect(/\\ud[89a-f]/i.test(data)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  test('a frozen message is read as well, and no object is shared with it', () => {
    fc.assert(
      fc.property(message, (raw) => {
        const before = decode(raw)
        freeze(raw)
        const after = decode(raw)
        expect(after).toEqual(before)
        const theirs = objectsOf(raw)
        for (const made of objectsOf(after)) expect(theirs.has(made)).toBe(false)
      }),
      { numRuns: runs },
    )
  })
})

test('our own shape comes back as it was', () => {
  const name = fc.string({ minLength: 1, unit: 'binary' })
  const file = fc.record(
    {
      type: fc.constant('file' as const),
      mediaType: name,
      name,
      language: name,
      source: fc.oneof(
        fc.record({ kind: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
        fc.record({ kind: fc.constant('data' as const), base64: fc.base64String() }),
        fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() }),
        fc.record({ kind: fc.constant('ref' as const), id: name }),
      ),
    },
    { requiredKeys: ['type', 'mediaType', 'source'], noNullPrototype: true },
  )
  const textPart = fc.record({ type: fc.constant('text' as const), text: name })
  const output = fc.array(fc.oneof(textPart, file), { maxLength: 3 })
  const think = fc.record(
    { type: fc.constant('think' as const), text: name, signature: name, sealed: name, id: name },
    { requiredKeys: ['type', 'text'] },
  )
  const call = fc.record(
    {
      type: fc.constant('call' as const),
      id: name,
      name,
      input: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
      outcome: fc.oneof(
        fc.constant({ state: 'pending' as const }),
        fc.record({ state: fc.constantFrom('ok' as const, 'error' as const), output }),
      ),
      from: name,
    },
    { requiredKeys: ['type', 'id', 'name', 'input', 'outcome'] },
  )
  const item = fc.record(
    {
      role: fc.constant('assistant' as const),
      parts: fc.array(fc.oneof(textPart, file, think, call), { maxLength: 5 }),
      id: name,
      author: name,
      at: name,
      model: name,
      pinned: fc.constant(true),
    },
    { requiredKeys: ['role', 'parts'] },
  )
  fc.assert(
    fc.property(item, (given) => {
      const { ok, dialect, results, lost, ...rest } = accept(given)
      expect(rest).toEqual(given)
      expect([ok, dialect.length > 0, results, lost]).toEqual([true, true, [], []])
    }),
    { numRuns: runs },
  )
})

function freeze(value: unknown): void {
  for (const object of objectsOf(value)) if (!ArrayBuffer.isView(object)) Object.freeze(object)
}

function objectsOf(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const key of Reflect.ownKeys(value)) objectsOf(Reflect.get(value, key), found)
  return found
}
