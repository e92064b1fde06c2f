import { expect, test } from 'vitest'
import { presets } from '../core/policy/presets/index.js'
import { check } from '../core/rules/check.js'
import { memoryStore } from '../store/memory/store.js'
import { openHistory } from './history.js'

const ids = () => {
  let n = 0
  return { id: () => `id-${++n}`, now: () => `2026-01-01T00:00:${String(n % 60).padStart(2, '0')}.000Z` }
}
const fresh = (more: object = {}) => openHistory({ store: memoryStore(), env: ids(), ...more })

test('a second turn knows the first, and the current message appears exactly once', async () => {
  const history = await fresh()
  await history.append([
    { role: 'user', content: 'Who owns the Cincinnati service?' },
    { role: 'assistant', content: 'Team Blue owns it.' },
  ])
  const window = await history.window({
    current: 'What about its dependencies?',
    target: 'openai-chat',
    model: 'gpt-4o',
  })
  if (!window.ok) throw new Error(window.error.message)
  const texts = window.items.map((item) => item.text)
  expect(texts).toEqual(['Who owns the Cincinnati service?', 'Team Blue owns it.', 'What about its dependencies?'])
})

test('a long conversation reads only what can be sent, and its receipt accounts for all of it', async () => {
  const history = await fresh()
  for (let i = 0; i < 300; i++) {
    await history.append([
      { role: 'user', content: `question ${i} ${'word '.repeat(30)}` },
      { role: 'assistant', content: `answer ${i} ${'text '.repeat(40)}` },
    ])
  }
  const window = await history.window({ current: 'and now?', budget: 2_000, model: 'gpt-4o' })
  if (!window.ok) throw new Error(window.error.message)
  expect(window.hydrated.stored).toBe(600)
  expect(window.hydrated.loaded).toBeLessThan(100)
  const { totals, lines } = window.receipt
  expect(totals.messages).toBe(600)
  expect(totals.kept + totals.clipped + totals.folded + totals.recalled + totals.dropped).toBe(600)
  expect(lines[0]).toMatchObject({ from: 0, to: 0, fate: 'kept', rule: 'pinned' })
  expect(check('openai-chat', window.rendered)).toEqual([])
})

test('calls that a crash left open are closed with interrupted results before the next message', async () => {
  const history = await fresh()
  await history.append({ role: 'user', content: 'look' })
  await history.append({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
    ],
  })
  await history.append({ role: 'tool', tool_call_id: 'a', content: 'found' })
  await history.append({ role: 'user', content: 'and?' })
  const path = await history.path()
  expect(path.map(({ body, text }) => [body.kind, text])).toEqual([
    ['message', 'look'],
    ['message', '[Used tool: f]\n[Used tool: f]'],
    ['result', 'found'],
    ['result', 'interrupted'],
    ['message', 'and?'],
  ])
  await expect(history.append({ role: 'tool', tool_call_id: 'a', content: 'again' })).rejects.toMatchObject({
    code: 'already_answered',
  })
})

test('a client that resends its whole history writes only the tail; a different history becomes a branch', async () => {
  const history = await fresh()
  const turns = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ]
  expect(await history.reconcile(turns.slice(0, 2))).toMatchObject({ known: 0, forked: false })
  expect(await history.reconcile(turns)).toMatchObject({ known: 2, forked: false, added: [{ text: 'three' }] })
  expect(await history.reconcile(turns)).toMatchObject({ known: 3, added: [] })
  const forked = await history.reconcile([turns[0], { role: 'assistant', content: 'zwei' }])
  expect(forked).toMatchObject({ forked: true, known: 1 })
  expect((await history.path('main')).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect((await history.path(forked.branch)).map(({ text }) => text)).toEqual(['one', 'zwei'])
  // a client that has cut its beginning
  expect(await history.reconcile([turns[1], turns[2], { role: 'assistant', content: 'four' }])).toMatchObject({
    known: 2,
    forked: false,
  })
})

test('a policy that does not exist is refused when the history is opened', async () => {
  const store = memoryStore()
  const policy = 'blanced' as 'balanced'
  await expect(openHistory({ store, policy })).rejects.toMatchObject({
    code: 'policy.invalid',
    issues: [{ code: 'policy.unknown', field: 'policy', value: 'blanced' }],
  })
  const broken = { ...presets.balanced, fit: { ...presets.balanced.fit, step: 7 } }
  await expect(openHistory({ store, policy: broken })).rejects.toMatchObject({ code: 'policy.invalid' })
})

test('the system prompt of a history is in every window, and a window can bring another', async () => {
  const history = await fresh({ system: 'Be brief.' })
  await history.append('Hello')
  const systemOf = async (more: object = {}) => {
    const made = await history.window({ ...more, target: 'anthropic' })
    return made.ok ? made.rendered.system : made.error
  }
  expect(await systemOf()).toBe('Be brief.')
  expect(await systemOf({ system: 'Be long.' })).toBe('Be long.')
})

test('what is kept and never sent is said when it is appended', async () => {
  const history = await fresh({ policy: { extends: 'balanced', intake: { system: 'drop' } } })
  const { warnings, entries } = await history.append([
    { role: 'system', content: 'You are a pirate.' },
    { role: 'user', content: 'Hello' },
  ])
  expect(entries).toHaveLength(2)
  expect(warnings).toMatchObject([{ code: 'message.unsent', field: 'messages[0].role', value: 'system' }])
  expect(warnings[0]?.suggestion).toContain('openHistory({ system })')
  const usual = await fresh()
  expect((await usual.append([{ role: 'system', content: 'Be kind.' }, 'Hello'])).warnings).toEqual([])
  expect((await usual.append({ role: 'system', content: 'Be rude.' })).warnings).toHaveLength(1)
  const quiet = await fresh({ policy: { extends: 'balanced', intake: { system: 'lead', roles: ['system', 'user'] } } })
  expect((await quiet.append([{ role: 'system', content: 'Be kind.' }, 'Hello'])).warnings).toEqual([])
  expect((await quiet.append({ role: 'system', content: 'Be rude.' })).warnings).toHaveLength(1)
  expect((await quiet.append({ role: 'assistant', content: 'No.' })).warnings).toMatchObject([
    { code: 'message.unsent', value: 'assistant' },
  ])
})

test('a draft takes what append takes, and refuses what append refuses, when it is saved and when it is finished', async () => {
  const history = await fresh()
  await history.append('Hello')
  const strange = [{ type: 'hologram', light: 7 }]
  const refused = { code: 'invalid', issues: [{ field: expect.stringContaining('parts') }] }
  const draft = await history.draft()
  await expect(draft.save(strange)).rejects.toMatchObject(refused)
  await expect(draft.save([{ type: 'text' }])).rejects.toMatchObject(refused)
  await expect(draft.finish(strange)).rejects.toMatchObject(refused)
  await draft.save('Hel')
  await draft.save([
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } },
  ])
  await draft.finish({ role: 'assistant', content: 'Hello you.' })
  expect((await history.path()).map(({ text }) => text)).toEqual(['Hello', 'Hello you.'])
})

test('hooks are told of what was kept, each once', async () => {
  const told: string[] = []
  const history = await fresh({
    onEntry: ({ text }: { text: string }) => told.push(text),
    onReceipt: ({ id }: { id: string }) => told.push(id.slice(0, 4)),
  })
  await history.append('Hello', { key: 'k' })
  await history.append('Hello', { key: 'k' })
  const draft = await history.draft()
  await draft.finish('Hi.')
  const made = await history.window()
  if (made.ok) await history.keep(made.receipt)
  expect(told).toEqual(['Hello', 'Hi.', 'ctx_'])
})
