import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { parseJson, readJsonBytes } from './scan.js'

const limits = { depth: 32, values: 1_000 }
const read = (text: string) => parseJson(text, limits)
const bytes = (text: string) => new TextEncoder().encode(text)

/** Values that may come in: no keys that reach for prototypes, no NUL, no half characters. */
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
const key = text.filter((value) => !['__proto__', 'constructor', 'prototype'].includes(value))
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), text),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('JSON from strangers', () => {
  test('what is fine comes out as JSON.parse has it, however it is written', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t', '\r\n '), (value, space) => {
        const written = JSON.stringify(value, null, space)
        expect(read(written)).toEqual({ ok: true, value: JSON.parse(written) })
      }),
      { numRuns: runs },
    )
  })

  test('what JSON.parse refuses is refused, whatever was done to the text', () => {
    const spoilt = fc.tuple(
      json,
      fc.nat(),
      fc.constantFrom('', ',', '{', '}', '[', ']', '"', '\\', ':', '-', '0', 'e', 'x'),
    )
    fc.assert(
      fc.property(spoilt, ([value, place, char]) => {
        const written = JSON.stringify(value)
        const at = place % (written.length + 1)
        const broken = written.slice(0, at) + char + written.slice(at + (place % 2))
        if (read(broken).ok) expect(() => JSON.parse(broken)).not.toThrow()
      }),
      { numRuns: runs * 3 },
    )
  })

  test('the path of what is wrong is told', () => {
    const hurt = fc.constantFrom('"\\u0000"', '"\\ud800"', '1e999', '{"__proto__":1}', '{"a":1,"a":2}')
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(3), fc.constantFrom('a', 'b')), { maxLength: 6 }), hurt, (steps, bad) => {
        const written = steps.reduceRight<string>(
          (inner, step) =>
            typeof step === 'number' ? `[${'0,'.repeat(step)}${inner}]` : `{"z":0,${JSON.stringify(step)}:${inner}}`,
          bad,
        )
        const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
        const told = read(written)
        expect(told.ok || told.path).toContain(path.replace(/^\./, ''))
      }),
      { numRuns: runs },
    )
  })

  test.each([
    ['{"a":{"__proto__":{"x":1}}}', 'a.__proto__', 'not allowed'],
    ['{"a":{"\\u005f_proto__":1}}', 'a.__proto__', 'not allowed'],
    ['{"constructor":1}', 'constructor', 'not allowed'],
    ['{"a":1,"b":2,"\\u0061":3}', 'a', 'twice'],
    ['[1,1e999]', '[1]', 'bounds'],
    ['["\\ud800"]', '[0]', 'half'],
    ['["\\udc00\\ud800"]', '[0]', 'half'],
    ['["x\\u0000"]', '[0]', 'NUL'],
    ['{"\\u0000":1}', '', 'NUL'],
    ['{"a":1}x', '', 'after its end'],
    ['', '', 'not JSON'],
    ['{"a":01}', 'a', 'not JSON'],
    ['["\n"]', '[0]', 'not JSON'],
    ["{'a':1}", '', 'not JSON'],
    ['[1,]', '[1]', 'not JSON'],
    ['NaN', '', 'not JSON'],
    ['"abc', '', 'not JSON'],
  ])('%s is refused at %s: %s', (written, path, message) => {
    expect(read(written)).toMatchObject({ ok: false, path, message: expect.stringContaining(message) })
  })

  test('emoji pass, written out or escaped', () => {
    expect(read('["👨‍👩‍👧","\\ud83d\\ude00"]')).toEqual({ ok: true, value: ['👨‍👩‍👧', '😀'] })
  })

  test('depth and number of values are bounded before anything is parsed', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(read(nested(32)).ok).toBe(true)
    expect(read(nested(33))).toMatchObject({ ok: false, message: expect.stringContaining('32 levels') })
    expect(read(nested(1_000_000)).ok).toBe(false)
    expect(read('['.repeat(1_000_000)).ok).toBe(false)
    expect(read(`[${'1,'.repeat(998)}1]`).ok).toBe(true)
    expect(read(`[${'1,'.repeat(999)}1]`)).toMatchObject({ ok: false, message: expect.stringContaining('1000 values') })
  })

  test('the time is linear in the length', () => {
    const took = (written: string) => {
      const began = performance.now()
      parseJson(written, { depth: 32, values: 10_000_000 })
      return performance.now() - began
    }
    const words = (n: number) => `{${Array.from({ length: n }, (_, i) => `"key${i}":"some words \\n here"`).join(',')}}`
    took(words(10_000))
    expect(took(words(80_000))).toBeLessThan(Math.max(2_000, 40 * took(words(10_000))))
  })

  test('bytes must be UTF-8 without a byte order mark', () => {
    expect(readJsonBytes(bytes('{"a":"ü"}'), limits)).toEqual({ ok: true, value: { a: 'ü' } })
    expect(readJsonBytes(bytes('\ufeff{}'), limits)).toMatchObject({
      ok: false,
      message: expect.stringContaining('byte order'),
    })
    expect(readJsonBytes(Uint8Array.of(0x22, 0xff, 0x22), limits)).toMatchObject({ ok: false, message: 'is not UTF-8' })
    expect(readJsonBytes(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), limits)).toMatchObject({ ok: false })
    expect(readJsonBytes(new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), limits)).toMatchObject({ ok: false })
  })
})
