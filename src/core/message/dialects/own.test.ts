import { expect, test } from 'vitest'
import { accept, pending, said } from './accept.fixture.js'

test('a call comes with what became of it', () => {
  const call = { type: 'call', id: 'c', name: 'f', input: 'as is', outcome: { state: 'ok', output: [said('1')] } }
  const decoded = accept({ role: 'assistant', parts: [said('Hi'), call], author: 'Ada', at: 'now', pinned: true })
  expect(decoded).toEqual({
    ok: true,
    dialect: 'own',
    role: 'assistant',
    parts: [said('Hi'), call],
    results: [],
    lost: [],
    author: 'Ada',
    at: 'now',
    pinned: true,
  })
})

test('a call without an outcome is pending; an unknown outcome is too, with a note', () => {
  const call = { type: 'call', id: 'c', name: 'f', input: {} }
  const decoded = accept({ role: 'assistant', parts: [call, { ...call, outcome: { state: 'lost' } }] })
  expect(decoded.parts).toEqual([
    { ...call, outcome: pending },
    { ...call, outcome: pending },
  ])
  expect(decoded.lost).toEqual(['parts[1].outcome: unknown outcome, taken as pending'])
})

test('a file whose source is of no known kind is lost', () => {
  const decoded = accept({ role: 'user', parts: [{ type: 'file', mediaType: 'a/b', source: { kind: 'tape' } }] })
  expect(decoded).toMatchObject({ parts: [], lost: ['parts[0]: file block without content'] })
})
