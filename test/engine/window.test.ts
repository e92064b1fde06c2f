import { describe, expect, test } from 'vitest'
import { presetNames } from '../../src/core/policy/presets/index.js'
import { check } from '../../src/core/rules/check.js'
import { openHistory, type WindowEvent } from '../../src/engine/index.js'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { refusal } from '../../src/store/shared/refuse.js'
import { assistant, calling, found, onEveryStore, textsOf, user, windowOf } from './stage.js'

onEveryStore('a session', ({ fresh, store, again }) => {
  test('is filled from what is stored before each request, with nothing to set [S4-1] [S3-1] [S4-4] [S4-20]', async () => {
    const history = await fresh()
    await history.append([user('My name is Ada.'), assistant('Hello Ada.')])
    const { items } = await windowOf(history, { current: 'Who am I?', policy: 'session-window' })
    expect(items.map(({ text }) => text)).toEqual(['My name is Ada.', 'Hello Ada.', 'Who am I?'])
    const elsewhere = await openHistory({
      store: again ? await again() : store(),
      workspace: history.workspace,
      conversation: 'c',
    })
    expect((await windowOf(elsewhere, { current: 'Who am I?', policy: 'session-window' })).items).toEqual(items)
  })

  test('has the current message exactly once, stored or not, before or after it was appended [S4-2] [S4-15] [T-46]', async () => {
    const history = await fresh()
    await history.append([user('one'), assistant('two')])
    const current = user('three', { id: 'm3' })
    const texts = async (request: object) => (await windowOf(history, request)).items.map(({ text }) => text)
    expect(await texts({ current })).toEqual(['one', 'two', 'three'])
    await history.append(current)
    expect(await texts({ current })).toEqual(['one', 'two', 'three'])
    expect(await texts({})).toEqual(['one', 'two', 'three'])
    await history.append([assistant('four'), user('three')])
    expect(await texts({})).toEqual(['one', 'two', 'three', 'four', 'three'])
  })

  test('loads what was stored, in the order in which it was stored, when clocks run backwards [S4-3] [S3-2] [L-6]', async () => {
    let hour = 24
    const history = await fresh({ env: { now: () => `2026-01-01T${String(--hour).padStart(2, '0')}:00:00.000Z` } })
    const said = Array.from({ length: 20 }, (_, i) => (i % 2 ? assistant(`answer ${i}`) : user(`question ${i}`)))
    for (const message of said) await history.append(message)
    const order = said.map(({ content }) => content)
    expect(await textsOf(history)).toEqual(order)
    expect((await windowOf(history)).items.map(({ text }) => text)).toEqual(order)
    expect((await history.path()).map(({ seq }) => seq)).toEqual(order.map((_, i) => i + 1))
  })

  test('pins the opener by its id, however little is loaded, and reads no more than it needs [S3-P6] [S4-12] [S4-13]', async () => {
    const history = await fresh()
    await history.append([{ role: 'system', content: 'house rules' }, user('The opener.', { id: 'first' })])
    for (let i = 0; i < 8; i++)
      await history.append(
        Array.from({ length: 100 }, (_, k) =>
          k % 2 ? user(`q ${i} ${k} ${'word '.repeat(20)}`) : assistant(`a ${'text '.repeat(20)}`),
        ),
      )
    for (const policy of ['balanced', 'session-window', 'handoff-balanced'] as const) {
      const { items, hydrated, receipt } = await windowOf(history, { current: 'now?', policy, budget: 2_000 })
      expect(items.find(({ id }) => id === 'first')?.text, policy).toBe(
        policy === 'session-window' ? undefined : 'The opener.',
      )
      expect(hydrated).toMatchObject({ stored: 802 })
      expect(hydrated.loaded, policy).toBeLessThan(300)
      expect(receipt.totals.messages).toBe(802)
    }
    const { receipt } = await windowOf(history, {
      policy: 'session-window',
      overrides: { fit: { messages: 10, tokens: 500 } },
    })
    expect(receipt.budget.used).toBeLessThanOrEqual(500)
  })

  test('costs far under half a second with a long history, and says what the reading took [S3-P3] [S3-P8]', async () => {
    const history = await fresh()
    for (let i = 0; i < 5; i++)
      await history.append(
        Array.from({ length: 400 }, (_, k) => (k % 2 ? assistant('text '.repeat(30)) : user(`q${i}.${k}`))),
      )
    const began = performance.now()
    const { hydrated } = await windowOf(history, { current: 'now?', policy: 'agent-turns' })
    expect(performance.now() - began).toBeLessThan(500)
    expect(hydrated.stored).toBe(2_000)
    expect(hydrated.tokens).toBeGreaterThan(10_000)
    expect(hydrated.milliseconds).toBeGreaterThan(0)
  })

  test('tells the log one event with its six fields, and they describe what was sent [S4-16] [S3-10] [L-17]', async () => {
    const events: WindowEvent[] = []
    const history = await fresh({ log: (event) => events.push(event) })
    for (let i = 0; i < 100; i++)
      await history.append([user(`question ${i} ${'x'.repeat(200)}`), assistant(`answer ${i}`)])
    const { receipt, items } = await windowOf(history, {
      current: 'now?',
      policy: 'session-window',
      trace: 't-1',
      overrides: { fit: { tokens: 1_000 } },
    })
    expect(events).toHaveLength(1)
    const { milliseconds, messages_loaded, ...event } = events[0] as WindowEvent
    expect(event).toEqual({
      event: 'conversation_context_loaded',
      trace_id: 't-1',
      session_id: 'c',
      total_messages_in_db: 200,
      messages_truncated: 200 - items.filter(({ index }) => index !== null).length,
      estimated_tokens: receipt.budget.used,
    })
    expect(messages_loaded).toBeLessThan(200)
  })

  test('folds tools into the turn, cuts results to 500 chars, and starts with a user, from rows of its own [S3-3] [S3-4] [S3-8] [S3-12]', async () => {
    const history = await fresh()
    for (let i = 0; i < 25; i++)
      await history.append([
        user(`ask ${i}`),
        calling(`c${i}`),
        found(`c${i}`, 'r'.repeat(900)),
        assistant(`done ${i}`),
      ])
    const { rendered } = await windowOf(history, { current: 'next', policy: 'agent-turns' })
    const prompt = String(rendered)
    expect(prompt).toContain('[Used tool: look]')
    expect(prompt).toContain('... [truncated]')
    expect(prompt).not.toContain('r'.repeat(501))
    expect(prompt).toContain('ask 5')
    expect(prompt).not.toContain('ask 4\n')
    expect(prompt.indexOf('Human: ')).toBeLessThan(prompt.indexOf('Assistant: '))
    expect(check('text-tagged', rendered)).toEqual([])
  })

  test('goes into the prompt itself: no history and nothing to resume is left for an SDK [S3-6] [S3-7] [S3-11]', async () => {
    const history = await fresh()
    const alone = await windowOf(history, { current: 'Hello', policy: 'agent-turns' })
    expect(JSON.stringify(alone.rendered)).not.toContain('conversation_history')
    await history.append([user('one'), assistant('two')])
    const { rendered } = await windowOf(history, { current: 'three', policy: 'agent-turns' })
    expect(rendered).toBeTypeOf('string')
    expect(rendered).toMatch(/<conversation_history>.*one.*two.*<\/conversation_history>.*three/s)
  })

  test('sees nothing of another conversation or workspace [S3-13] [L-21]', async () => {
    const history = await fresh()
    await history.append(user('secret'))
    const other = await openHistory({ store: store(), workspace: history.workspace, conversation: 'other' })
    const stranger = await openHistory({ store: store(), workspace: `${history.workspace}-else`, conversation: 'c' })
    for (const one of [other, stranger]) {
      await one.append(user('mine'))
      expect(JSON.stringify(await windowOf(one))).not.toContain('secret')
      const [entry] = await history.path()
      await expect(one.edit(entry?.id as string, 'x')).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('keeps notes of errors and aborts by kind and out of the window, whatever the policy [L-4] [T-20]', async () => {
    const history = await fresh()
    await history.append([user('one'), assistant('two')])
    await history.note('error', { status: 529, text: 'overloaded_error' })
    await history.append(user('three'))
    await history.note('aborted', { by: 'user' })
    for (const policy of presetNames) {
      const { items } = await windowOf(history, { policy, current: 'four' })
      expect(
        items.map(({ text }) => text),
        policy,
      ).toEqual(['one', 'two', 'three', 'four'])
    }
    expect((await history.path()).flatMap(({ body }) => (body.kind === 'note' ? [body.label] : []))).toEqual([
      'error',
      'aborted',
    ])
  })

  test('fits what is free: the model, the budget, the system prompt, the tools, and the task [S3-F3]', async () => {
    const history = await fresh({ recaller: null })
    for (let i = 0; i < 200; i++) await history.append([user(`question ${i}`), assistant('long answer '.repeat(60))])
    const kept = async (request: object) =>
      (await windowOf(history, { current: 'now?', ...request })).receipt.totals.kept
    const wide = await kept({ model: 'gpt-4o' })
    const narrow = await kept({ model: 'gpt-4o', budget: 12_000 })
    const busy = await kept({ model: 'gpt-4o', budget: 12_000, system: 'rule '.repeat(4_000) })
    expect(wide).toBeGreaterThan(narrow)
    expect(narrow).toBeGreaterThan(busy)
    expect(await kept({ policy: 'stateless-query' })).toBeLessThan(narrow)
  })

  test('takes its strategy and its retention from settings [S4-21] [S4-14]', async () => {
    const history = await fresh()
    await history.append(user('one'))
    const { warnings } = await windowOf(history, { policy: 'session-window', overrides: { strategy: 'summarize' } })
    expect(warnings.map(({ code }) => code)).toContain('policy.strategy')
    expect((await windowOf(history, { policy: 'session-window' })).warnings).toEqual([])
  })
})

describe('a store that cannot be reached', () => {
  const whole = memoryStore()
  let isBroken = false
  const broken: Store = {
    ...whole,
    window: async (...asked) =>
      isBroken ? Promise.reject(refusal('unavailable', 'no connection')) : whole.window(...asked),
  }

  test('costs the history and not the turn, if that is asked for, with a warning [S3-P7]', async () => {
    const history = await openHistory({ store: broken })
    await history.append(user('one'))
    isBroken = true
    await expect(history.window({ current: 'two' })).rejects.toMatchObject({ code: 'unavailable' })
    const { items, warnings } = await windowOf(history, { current: 'two', unavailable: 'continue' })
    expect(items.map(({ text }) => text)).toEqual(['two'])
    expect(warnings.map(({ code }) => code)).toEqual(['history.unavailable'])
  })
})
