import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallPart, FilePart, Item, Part, ThinkPart } from '../../message/item.js'
import { text } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import type { Window } from '../../message/window.js'
import { noOutput, noResult } from './call.js'
import { damagedWindow, freeze } from './damage.fixture.js'
import { type Mended, mend } from './mend.js'
import { closingCue, openingCue } from './order.js'
import { isClean } from './plain.js'

const chats = ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'] as const

const user = (value: string): Item => ({ role: 'user', parts: [text(value)] })
const assistant = (...parts: readonly (Part | string)[]): Item => ({
  role: 'assistant',
  model: 'claude-x',
  parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
})
const call = (id: string, more: Partial<CallPart> = {}): CallPart => ({
  type: 'call',
  id,
  name: 'read',
  input: {},
  outcome: { state: 'ok', output: [text('done')] },
  ...more,
})
const think = (value: string, more: Partial<ThinkPart> = {}): ThinkPart => ({ type: 'think', text: value, ...more })
const gap = (role: Item['role'] = 'system'): Item => ({ role, mark: 'gap', parts: [text('3 messages left out')] })

const windowOf = (items: readonly Item[], more: Partial<Window> = {}): Window =>
  freeze({
    items,
    hasCurrent: false,
    model: 'claude-x',
    style: { think: 'drop', section: 'emoji', escape: true },
    ...more,
  })

const run = (items: readonly Item[], target: Target = 'anthropic', more: Partial<Window> = {}): Mended =>
  mend(windowOf(items, more), target)

const roles = (mended: Mended): string => mended.items.map((item) => item.role.charAt(0)).join('')
const rules = (mended: Mended): readonly string[] =>
  mended.notes.map((note) => `${note.item} ${note.rule} ${note.effect}`)
const callsOf = (mended: Mended): readonly CallPart[] =>
  mended.items.flatMap((item) => item.parts.filter((part) => part.type === 'call'))

describe('what is clean', () => {
  test.each(chats)('%s: a clean window comes back as it is, the very same array', (target) => {
    const window = windowOf([user('a'), assistant('b', call('1'), call('2'), 'c'), user('d')])
    const mended = mend(window, target)
    expect(mended.items).toBe(window.items)
    expect(mended.notes).toEqual([])
  })

  test('an item that needs nothing is kept by identity beside one that does', () => {
    const window = windowOf([user('a'), assistant(' '), user('b')])
    const mended = mend(window, 'openai-chat')
    expect(mended.items).toEqual([window.items[0], window.items[2]])
    expect(mended.items[0]).toBe(window.items[0])
  })

  test('clean items are those that no target changes', () => {
    fc.assert(
      fc.property(damagedWindow.map(freeze), (window) => {
        for (const item of window.items.filter(isClean)) {
          for (const target of chats) expect(mend({ ...window, items: [item] }, target).items).toContain(item)
        }
      }),
    )
  })

  test('a caller may remember what is clean', () => {
    const asked: Item[] = []
    const window = windowOf([user('a')])
    mend(window, 'anthropic', (item) => asked.push(item) > 0)
    expect(asked).toEqual(window.items)
  })
})

describe('what is empty', () => {
  test.each(['', ' ', '\u00a0', '\u200b', '\n\t', '\ufeff'])(
    'blank text %j never reaches a provider [T-16] [T-17]',
    (blank) => {
      for (const target of chats) {
        const mended = run([user('a'), assistant(blank, 'b'), assistant(blank), user('c')], target)
        expect(mended.items.map((item) => item.parts)).toEqual([[text('a')], [text('b')], [text('c')]])
        expect(rules(mended)).toEqual(['1 empty changed', '2 empty dropped'])
      }
    },
  )

  test('a partial message without parts is dropped [T-22]', () => {
    expect(roles(run([user('a'), { role: 'assistant', parts: [] }, user('b')], 'openai-chat'))).toBe('uu')
  })

  test('lone surrogates are replaced everywhere a provider would read them [T-51]', () => {
    const broken = call('1', { input: { 'k\ud800': ['\udc00'] }, outcome: { state: 'ok', output: [text('\ud83d')] } })
    const mended = run([user('a\ud800b'), assistant(broken)], 'openai-chat', { system: 's\ud800' })
    expect(JSON.stringify(mended)).not.toMatch(/\\ud[89a-f]/i)
    expect(mended.system).toEqual(['s\ufffd'])
    expect(callsOf(mended)[0]?.input).toEqual({ 'k\ufffd': ['\ufffd'] })
  })
})

describe('calls', () => {
  test.each(chats)('%s: a call without a result gets one that says so [T-01] [T-08] [P-05]', (target) => {
    const mended = run([user('a'), assistant(call('1', { outcome: { state: 'pending' } }))], target)
    expect(callsOf(mended)[0]?.outcome).toEqual({ state: 'error', output: [text(noResult)] })
    expect(rules(mended)).toEqual(['1 closed added'])
  })

  test('a result with nothing in it says that there was no output [T-16]', () => {
    const silent = call('1', { outcome: { state: 'ok', output: [text(' ')] } })
    expect(callsOf(run([user('a'), assistant(silent)]))[0]?.outcome).toEqual({ state: 'ok', output: [text(noOutput)] })
  })

  test('ids are unique in a request, and the same history gives the same ids [T-13]', () => {
    const items = [
      user('a'),
      assistant(call('x'), call('x')),
      user('b'),
      assistant(call('x'), call('a/b'), call('y'.repeat(70))),
    ]
    const ids = callsOf(run(items)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(5)
    expect(ids[0]).toBe('x')
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
    expect(callsOf(run(items)).map(({ id }) => id)).toEqual(ids)
  })

  test('ten thousand calls with one id take no quadratic time [T-13]', () => {
    const mended = run([user('a'), assistant(...Array.from({ length: 10_000 }, () => call('same')))])
    expect(new Set(callsOf(mended).map(({ id }) => id)).size).toBe(10_000)
  })

  test.each([
    ['mcp.server/tool', 'mcp_server_tool'],
    ['', 'tool'],
    ['плохо', 'tool'],
    ['n'.repeat(70), 'n'.repeat(64)],
  ])('the name %j is sent as %j', (name, sent) => {
    expect(callsOf(run([user('a'), assistant(call('1', { name }))]))[0]?.name).toBe(sent)
  })

  test('a name for Google begins with a letter or an underscore', () => {
    const items = [user('a'), assistant(call('1', { name: '9lives' }))]
    expect(callsOf(run(items, 'google'))[0]?.name).toBe('_9lives')
    expect(callsOf(run(items, 'anthropic'))[0]?.name).toBe('9lives')
  })

  test.each([
    [null, { value: null }],
    [undefined, { value: null }],
    ['raw', { value: 'raw' }],
    [[1], { value: [1] }],
    [{ a: undefined, b: 1 }, { b: 1 }],
  ])('the input %j becomes an object', (input, sent) => {
    expect(callsOf(run([user('a'), assistant(call('1', { input }))]))[0]?.input).toEqual(sent)
  })

  test('calls in a user message move to the assistant, in place', () => {
    const mended = run([{ role: 'user', parts: [text('a'), call('1'), text('b')] }])
    expect(roles(mended)).toBe('uau')
    expect(rules(mended)).toEqual(['0 call_moved changed'])
  })
})

describe('reasoning', () => {
  const signed = think('hmm', { signature: 'c2ln' })

  test('goes back unchanged to the model it came from, whatever the spelling of its name [T-19]', () => {
    const items = [user('a'), assistant(signed, 'b'), user('c')]
    for (const model of ['claude-x', 'anthropic/Claude-X']) {
      const mended = run(items, 'anthropic', { model })
      expect(mended.items[1]?.parts[0]).toBe(signed)
      expect(mended.items[1]).toBe(items[1])
    }
  })

  test('of another model is left out, or shown as text when the policy says so [T-19]', () => {
    const items = [user('a'), assistant(signed, 'b'), user('c')]
    const dropped = run(items, 'anthropic', { model: 'other' })
    expect(dropped.items[1]?.parts).toEqual([text('b')])
    expect(rules(dropped)).toEqual(['1 think_dropped dropped'])
    const shown = run(items, 'anthropic', { model: 'other', style: { think: 'text', section: 'emoji', escape: true } })
    expect(shown.items[1]?.parts).toEqual([text('[reasoning] hmm'), text('b')])
  })

  test('without a proof or a place in the target is left out', () => {
    const kept = (part: ThinkPart, target: Target) =>
      run([user('a'), assistant(part, 'b'), user('c')], target).items[1]?.parts.length === 2
    expect(kept(think('hmm'), 'anthropic')).toBe(false)
    expect(kept(think('', { sealed: 'c2ln' }), 'anthropic')).toBe(true)
    expect(kept(signed, 'openai-responses')).toBe(false)
    expect(kept(think('hmm', { id: 'rs_1', sealed: 'c2ln' }), 'openai-responses')).toBe(true)
    expect(kept(think('hmm', { id: 'rs_1', signature: 'c2ln' }), 'openai-chat')).toBe(false)
    expect(kept(think('hmm'), 'google')).toBe(true)
    expect(kept(signed, 'ai-sdk')).toBe(true)
  })

  test('with a proof of many megabytes is looked at like any other', () => {
    const kept = (signature: string) =>
      run([user('a'), assistant(think('hmm', { signature }), 'b'), user('c')]).items[1]?.parts.length === 2
    const long = 'c2ln'.repeat(2_000_000)
    expect(kept(long)).toBe(true)
    for (const cut of [`${long}c`, `${long}c2=n`, `${long}c2l==`, `${long}=`, `=${long}`, `${long}!!!!`])
      expect(kept(cut)).toBe(false)
    expect(kept(`${long}c2==`)).toBe(true)
  })

  test('that was sealed for another account is left out, what it led to stays', () => {
    const given = (issuer: string | undefined, to: string | undefined, target: Target = 'openai-responses') => {
      const sealed = think('hmm', { id: 'rs_1', sealed: 'c2ln', signature: 'c2ln', ...(issuer && { issuer }) })
      const mended = run([user('a'), assistant(sealed, call('1'), 'b'), user('c')], target, to ? { issuer: to } : {})
      return mended.items[1]?.parts.map(({ type }) => type).join(' ')
    }
    for (const target of ['openai-responses', 'google'] as const) {
      expect(given('one', 'other', target)).toBe('call text')
      expect(given('one', 'one', target)).toBe('think call text')
      expect(given(undefined, 'other', target)).toBe('think call text')
      expect(given('one', undefined, target)).toBe('think call text')
    }
    // Claude's are bound to their prefix, not to the account
    expect(given('one', 'other', 'anthropic')).toBe('think call text')
  })

  test('is never sent without what it led to [T-07] [P-05]', () => {
    const mended = run(
      [user('a'), assistant('b', call('1'), think('c', { id: 'rs_1', sealed: 'c2ln' }), ' '), user('d')],
      'openai-responses',
    )
    expect(mended.items[1]?.parts.map((part) => part.type)).toEqual(['text', 'call'])
  })

  test('is not sent twice with one id [T-22]', () => {
    const again = assistant(think('b', { id: 'rs_1', sealed: 'c2ln' }), 'c')
    const mended = run([user('a'), again, user('d'), again, user('e')], 'openai-responses')
    expect(mended.items.map((item) => item.parts.length)).toEqual([1, 2, 1, 1, 1])
  })

  test('comes first in its message for Anthropic; each step after results may think again [T-19]', () => {
    const steps = run([user('a'), assistant(signed, call('1'), signed, 'b'), user('c')])
    expect(steps.notes).toEqual([])
    expect(run([user('a'), assistant(signed, call('1')), assistant(signed, 'b'), user('c')]).notes).toEqual([])
    const late = run([user('a'), assistant('b', signed, 'c'), assistant(signed, 'd'), user('e')])
    expect(late.items.slice(1, 3).map((item) => item.parts.map((part) => part.type))).toEqual([
      ['text', 'text'],
      ['text'],
    ])
  })
})

describe('files', () => {
  const png: FilePart = {
    type: 'file',
    mediaType: 'image/png',
    source: {
      kind: 'data',
      base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
  }
  const sent = (file: FilePart, target: Target, role: 'user' | 'assistant' = 'user') =>
    run([user('a'), { role, parts: [file, text('x')] }, user('b')], target).items[1]?.parts[0]

  test('images of the user are sent, those of the assistant are described', () => {
    for (const target of chats) {
      expect(sent(png, target)).toBe(png)
      expect(sent(png, target, 'assistant')).toEqual(text('[image not sent]'))
    }
  })

  test('what a target can not load is named instead', () => {
    const pdf: FilePart = {
      type: 'file',
      mediaType: 'application/pdf',
      name: 'a.pdf',
      source: { kind: 'url', url: 'https://x.org/a.pdf' },
    }
    expect(sent(pdf, 'openai-chat')).toEqual(text('[file: a.pdf (application/pdf) not sent]'))
    expect(sent(pdf, 'anthropic')).toBe(pdf)
    expect(sent({ ...png, source: { kind: 'ref', id: 'sha' } }, 'anthropic')).toEqual(text('[image not sent]'))
    expect(sent({ ...png, source: { kind: 'data', base64: 'no!' } }, 'anthropic')).toEqual(text('[image not sent]'))
  })

  test('code keeps its name, its language, and a fence that nothing in it can close', () => {
    const code: FilePart = {
      type: 'file',
      mediaType: 'text/markdown',
      name: 'a.md',
      language: 'md',
      source: { kind: 'text', text: '```ts\nx\n````' },
    }
    expect(sent(code, 'google')).toEqual(text('a.md\n`````md\n```ts\nx\n````\n`````'))
  })

  test('tool results keep images for Anthropic only', () => {
    const shot = call('1', { outcome: { state: 'ok', output: [png] } })
    expect(run([user('a'), assistant(shot)], 'anthropic').items[1]?.parts[0]).toBe(shot)
    expect(callsOf(run([user('a'), assistant(shot)], 'google'))[0]?.outcome).toEqual({
      state: 'ok',
      output: [text('[image not sent]')],
    })
  })
})

describe('roles', () => {
  test('system items in the middle go to the system channel, in order, except for OpenAI chat', () => {
    const items = [user('a'), { role: 'system', parts: [text('s2')] } as const, user('b')]
    for (const target of ['anthropic', 'google', 'ai-sdk', 'openai-responses'] as const) {
      const mended = run(items, target, { system: 's1' })
      expect(mended.system).toEqual(['s1', 's2'])
      expect(roles(mended)).toBe('uu')
    }
    expect(roles(run(items, 'openai-chat'))).toBe('usu')
  })

  test('a gap keeps its place and is never the user’s [L-10]', () => {
    for (const role of ['system', 'user', 'assistant'] as const) {
      const strict = run([user('a'), gap(role), user('b')])
      expect(roles(strict)).toBe('uau')
      expect(strict.items[1]?.mark).toBe('gap')
    }
    expect(roles(run([user('a'), gap(), user('b')], 'openai-chat'))).toBe('usu')
    expect(roles(run([user('a'), gap('user'), user('b')], 'openai-responses'))).toBe('usu')
  })

  test('a leading gap survives in the system channel of a target that leads with a user [L-10]', () => {
    const mended = run([assistant('x'), gap(), user('a')], 'google', { system: 's' })
    expect(mended.system).toEqual(['s', '3 messages left out'])
    expect(roles(mended)).toBe('u')
    expect(rules(mended)).toEqual(['0 leads_with_user dropped', '1 mark_moved changed'])
  })

  test('a history without any user begins with a cue instead of losing everything [T-21]', () => {
    const mended = run([gap(), assistant('a', call('1'))])
    expect(mended.items[0]).toEqual({ role: 'user', mark: 'cue', parts: [text(openingCue)] })
    expect(roles(mended)).toBe('uaa')
  })

  test('a pinned item is not dropped for leading', () => {
    const mended = run([{ ...assistant('summary'), pinned: true }, user('a')])
    expect(roles(mended)).toBe('uau')
    expect(rules(mended)).toEqual(['0 leads_with_user added'])
  })

  test.each(chats)('%s: a request that would end with the assistant asks to go on [T-21]', (target) => {
    const mended = run([user('a'), assistant('b')], target)
    expect(mended.items.at(-1)).toEqual({ role: 'user', mark: 'cue', parts: [text(closingCue)] })
    expect(rules(mended)).toEqual(['2 ends_with_user added'])
    expect(roles(run([user('a'), assistant(call('1'))], target))).toBe('ua')
  })

  test('neighbours that will be one message are noted, calls keep them apart [T-21]', () => {
    expect(rules(run([user('a'), user('b'), assistant('c'), assistant(call('1')), assistant(call('2'))]))).toEqual([
      '1 merged changed',
      '3 merged changed',
    ])
  })
})

test('plain targets only lose what says nothing', () => {
  const items = [assistant(' '), gap(), assistant('a', think('b')), { role: 'system', parts: [text('s')] } as const]
  expect(roles(run(items, 'messages'))).toBe('sas')
  expect(roles(run(items, 'text-numbered'))).toBe('sas')
  const tagged = run(items, 'text-tagged')
  expect(roles(tagged)).toBe('sa')
  expect(tagged.system).toEqual(['s'])
})
