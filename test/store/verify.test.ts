import { describe, expect, test } from 'vitest'
import type { Entry, NewEntry } from '../../src/store/contract/entry.js'
import { bare, link } from '../../src/store/shared/link.js'
import { faultsOf } from '../../src/store/shared/verify.js'

const say = (id: string, role: 'user' | 'assistant', words: string): NewEntry => ({
  id,
  body: { kind: 'message', role, parts: [{ type: 'text', text: words }], status: 'complete' },
  text: words,
  tokens: 3,
  at: '2026-01-01',
})

function log(): Entry[] {
  const a = link(say('a', 'user', 'one'), null, 1)
  const b = link(say('b', 'assistant', 'two'), a, 2)
  const c = link({ ...say('c', 'user', 'in short'), body: { kind: 'summary', parts: [], until: 'b' } }, b, 3)
  return [a, b, c, link(say('d', 'user', 'side'), a, 4)]
}

/** The log with one entry changed. */
const changed = (seq: number, change: (entry: Entry) => Partial<Entry>): Entry[] =>
  log().map((entry) => (entry.seq === seq ? { ...entry, ...change(entry) } : entry))
const message = (words: string) => say('x', 'user', words).body

describe('verification', () => {
  test('finds no fault in a sound log, redacted entries and all', () => {
    expect(faultsOf(log())).toEqual([])
    expect(faultsOf(changed(2, ({ body }) => ({ text: '', body: bare(body), redacted: true })))).toEqual([])
  })

  test.each<[string, Entry[]]>([
    ['a changed text', changed(2, () => ({ text: 'twO' }))],
    ['a changed body', changed(2, () => ({ body: message('twO') }))],
    ['changed tokens', changed(2, () => ({ tokens: 4, total: 7 }))],
    ['a changed time', changed(2, () => ({ at: '2026-01-02' }))],
    ['a changed id', changed(4, () => ({ id: 'e' }))],
    ['an author put in', changed(2, () => ({ author: 'someone' }))],
    ['another hash', changed(2, ({ hash }) => ({ hash: hash.replace(/^./, (c) => (c === '0' ? '1' : '0')) }))],
    ['another parent', changed(4, () => ({ parent: 'b' }))],
    ['no parent', changed(4, () => ({ parent: null }))],
    ['a parent that is not there', changed(4, () => ({ parent: 'nowhere' }))],
    ['another depth', changed(2, () => ({ depth: 2 }))],
    ['another total', changed(2, () => ({ total: 7 }))],
    ['another count of turns', changed(2, () => ({ turns: 2 }))],
    ['another opener', changed(2, () => ({ opener: 'b' }))],
    ['another summary', changed(4, () => ({ summary: 'c' }))],
    ['an entry cut out', log().filter(({ seq }) => seq !== 2)],
    ['two entries exchanged', log().toSorted((one, other) => other.seq - one.seq)],
    ['other words under the cover of a redaction', changed(2, () => ({ text: 'forged', redacted: true }))],
    [
      'another body under the cover of a redaction',
      changed(2, () => ({ text: '', body: message('x'), redacted: true })),
    ],
  ])('finds %s [T-77]', (_, entries) => {
    expect(faultsOf(entries)).not.toEqual([])
  })

  test('names the entry at fault and no other', () => {
    expect(faultsOf(changed(2, () => ({ text: 'twO' }))).map(({ seq }) => seq)).toEqual([2])
  })
})
