import { describe, expect, test } from 'vitest'
import { accept, pending, said } from './accept.fixture.js'
import { decode } from './decode.js'

describe('a tool_use row', () => {
  test.each([
    ['columns', { tool_name: 'read', tool_input: { path: 'a' }, tool_use_id: 't1' }, 't1'],
    ['short columns', { name: 'read', input: { path: 'a' }, id: 't1' }, 't1'],
    ['JSON in a column', { tool_name: 'read', tool_input: '{"path":"a"}' }, ''],
    ['JSON in the content', { tool_name: 'read', content: '{"path":"a"}' }, ''],
    ['an object as content', { content: { id: 't1', name: 'read', input: { path: 'a' } } }, 't1'],
  ])('%s', (_, row, id) => {
    const decoded = accept({ role: 'tool_use', ...row })
    expect(decoded).toMatchObject({ dialect: 'rows', role: 'assistant', results: [], lost: [] })
    expect(decoded).not.toHaveProperty('author')
    expect(decoded.parts).toEqual([{ type: 'call', id, name: 'read', input: { path: 'a' }, outcome: pending }])
  })

  test('its text beside the input is lost', () => {
    const row = { role: 'tool_use', tool_name: 'read', tool_input: {}, content: 'Using read' }
    expect(accept(row).lost).toEqual(['content: the text of a tool_use row is not kept beside its input'])
  })

  test('it is refused without a name', () => {
    expect(decode({ role: 'tool_use', content: '{}' })).toMatchObject({
      ok: false,
      code: 'bad_content',
      field: 'tool_name',
    })
  })
})

describe('a tool_result row', () => {
  test.each([
    ['text', 'done', [said('done')]],
    ['nothing', '', []],
    ['an object', { lines: 3 }, [said('{"lines":3}')]],
    ['blocks', [{ type: 'text', text: 'a' }], [said('a')]],
  ])('%s', (_, content, output) => {
    const decoded = accept({ role: 'tool_result', content, tool_name: 'read' })
    expect(decoded).toMatchObject({ dialect: 'rows', role: 'assistant', parts: [], lost: [] })
    expect(decoded.results).toEqual([{ name: 'read', state: 'ok', output }])
  })

  test('with an id it names its call', () => {
    const row = { role: 'tool_result', content: 'boom', tool_use_id: 't1', is_error: true, id: 'row-7' }
    const decoded = accept(row)
    expect(decoded.results).toEqual([{ callId: 't1', state: 'error', output: [said('boom')] }])
    expect(decoded.id).toBe('row-7')
  })
})
