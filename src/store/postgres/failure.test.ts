import { describe, expect, test } from 'vitest'
import { refusal } from '../shared/refuse.js'
import { postgresFailure } from './failure.js'

describe('a failure of the server', () => {
  test.each([
    ['53100', 'storage_full'],
    ['22021', 'invalid'],
    ['54000', 'too_large'],
    ['57014', 'unavailable'],
    ['57P01', 'unavailable'],
    ['40P01', 'unavailable'],
    ['53300', 'unavailable'],
    ['25006', 'unavailable'],
    ['ECONNREFUSED', 'unavailable'],
    ['EPIPE', 'unavailable'],
    [undefined, 'unavailable'],
  ])('%s is %s, with its cause', (code, expected) => {
    const cause = Object.assign(new Error('it failed'), { code })
    expect(postgresFailure(cause)).toMatchObject({ code: expected, cause })
  })

  test('a refusal stays as it is', () => {
    const gone = refusal('gone', 'the conversation was deleted')
    expect(postgresFailure(gone)).toBe(gone)
  })
})
