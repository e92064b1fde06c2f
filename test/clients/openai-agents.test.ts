/** `throughline/openai-agents` in the hands of the SDK itself. */
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  Runner,
  RunState,
  type Session,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agentSession } from '../../src/adapters/openai-agents/session.js'
import { windowed } from '../../src/adapters/openai-agents/windowed.js'
import type { Receipt } from '../../src/core/receipt/receipt.js'
import { assemble } from '../../src/core/window/assemble.js'
import { openHistory } from '../../src/engine/history.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { pinned, runs } from '../runs.js'
import { item, items } from './agents.fixture.js'
import { sqliteStage } from './stores.js'

setTracingDisabled(true)
const store = memoryStore()
const begin = () => openHistory({ store })

describe('a session of the agents SDK', () => {
  test('gives back every item to the letter, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (given) => {
        const session = agentSession<AgentInputItem>(await begin())
        await session.addItems(given)
        expect(JSON.stringify(await session.getItems())).toBe(JSON.stringify(given))
      }),
      { numRuns: runs },
    )
  })

  test('(the check above catches a session that forgets one field)', async () => {
    const forgetful = fc.asyncProperty(items, async (given) => {
      const session = agentSession<AgentInputItem>(await begin())
      await session.addItems(given.map(({ providerData: _, ...rest }) => rest as AgentInputItem))
      expect(JSON.stringify(await session.getItems())).toBe(JSON.stringify(given))
    })
    await expect(fc.assert(forgetful, { ...pinned, numRuns: 20 })).rejects.toThrow('Property failed')
  })

  const act = fc.oneof(
    fc.record({ do: fc.constant('add' as const), items }),
    fc.record({ do: fc.constant('pop' as const) }),
    fc.record({ do: fc.constant('clear' as const) }),
    fc.record({ do: fc.constant('newest' as const), limit: fc.integer({ min: -1, max: 4 }) }),
    fc.record({ do: fc.constant('append' as const), id: fc.constantFrom('op-1', 'op-2'), items }),
    fc.record({ do: fc.constant('replace' as const), id: fc.constantFrom('op-3', 'op-4'), last: fc.nat(2), items }),
    fc.record({ do: fc.constant('mutate' as const), item }),
  )

  test('does what the MemorySession of the SDK does, step by step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const history = await begin()
        const [ours, theirs] = [agentSession<AgentInputItem>(history), new MemorySession()]
        let cleared = false
        for (const one of acts) {
          // a session of theirs forgets its operations when it is cleared; ours never takes one twice
          if (cleared && (one.do === 'append' || one.do === 'replace')) continue
          cleared ||= one.do === 'clear'
          const all = await theirs.getItems()
          const said = await Promise.all([ours, theirs].map((session) => perform(session, one, all)))
          expect(JSON.stringify(said[0])).toBe(JSON.stringify(said[1]))
          expect(JSON.stringify(await ours.getItems())).toBe(JSON.stringify(await theirs.getItems()))
        }
        expect(await history.verify()).toMatchObject({ ok: true })
      }),
      { numRuns: Math.min(runs, 1_000) },
    )
  })

  type Act = typeof act extends fc.Arbitrary<infer One> ? One : never
  async function perform(session: MemorySession | ReturnType<typeof agentSession>, one: Act, all: AgentInputItem[]) {
    if (one.do === 'add') return session.addItems(one.items)
    if (one.do === 'pop') return session.popItem()
    if (one.do === 'clear') return session.clearSession()
    if (one.do === 'newest') return session.getItems(one.limit)
    if (one.do === 'mutate') {
      if (one.item.type !== 'function_call') return undefined
      const mutation = { type: 'replace_function_call' as const, callId: one.item.callId, replacement: one.item }
      return session.applyHistoryMutations({ mutations: [mutation] })
    }
    const transaction =
      one.do === 'append'
        ? { type: 'append_items' as const, items: one.items }
        : {
            type: 'replace_suffix' as const,
            expectedSuffix: all.slice(all.length - Math.min(all.length, one.last)),
            replacement: one.items,
          }
    const applied = async () => session.applyHistoryTransaction({ operationId: one.id, transaction })
    return applied().then(
      () => 'applied',
      () => 'refused',
    )
  }

  test('takes an operation once, also when it is told twice at the same time', async () => {
    const history = await begin()
    const session = agentSession<AgentInputItem>(history)
    const [user] = [{ role: 'user' as const, content: 'once' }]
    const args = { operationId: 'op', transaction: { type: 'append_items' as const, items: [user] } }
    await Promise.all([session.applyHistoryTransaction(args), session.applyHistoryTransaction(args)])
    expect(await session.getItems()).toEqual([user])
    const other = { ...args, transaction: { ...args.transaction, items: [user, user] } }
    await expect(session.applyHistoryTransaction(other)).rejects.toMatchObject({ code: 'key_reused' })
    const stale = { type: 'replace_suffix' as const, expectedSuffix: [user, user], replacement: [] }
    await expect(session.applyHistoryTransaction({ operationId: 'op-2', transaction: stale })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await session.getItems()).toEqual([user])
  })

  test('loses nothing when several add at once', async () => {
    const history = await begin()
    const session = agentSession<AgentInputItem>(history)
    const said = Array.from({ length: 20 }, (_, i) => ({ role: 'user' as const, content: `message ${i}` }))
    await Promise.all(said.map((one) => session.addItems([one])))
    const found = (await session.getItems()).map((one) => (one as { content: string }).content).sort()
    expect(found).toEqual(said.map(({ content }) => content).sort())
  })

  test('only leads back: what was popped and cleared is still in the log', async () => {
    const history = await begin()
    const session = agentSession<AgentInputItem>(history)
    await session.addItems([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ])
    await session.popItem()
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect((await history.feed(0)).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  test('reads what other clients said, calls and results included, as items that the SDK accepts', async () => {
    const history = await begin()
    await history.append([
      { role: 'user', content: 'How is the weather?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"at":"here"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'fair' },
    ])
    const session = agentSession<AgentInputItem>(history)
    expect(await session.getItems()).toMatchObject([
      { role: 'user', content: [{ type: 'input_text', text: 'How is the weather?' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', callId: 'c1', name: 'weather', arguments: '{"at":"here"}' },
      { type: 'function_call_result', callId: 'c1', name: 'weather', output: { type: 'text', text: 'fair' } },
    ])
    await session.popItem()
    await session.popItem()
    const left = await session.getItems()
    expect(left.map((one) => one.type)).toEqual(['message', 'message'])
    const model = new ScriptedModel([[assistantMessage('Fair.')]])
    await new Runner().run(new Agent({ name: 'guide', model }), 'And now?', { session: session as Session })
    expect(model.calls[0]?.request.input).toHaveLength(3)
  })
})

describe('a run of the agents SDK', () => {
  const stage = sqliteStage()
  afterAll(() => stage.close())
  const weather = tool({
    name: 'weather',
    description: 'The weather at a place.',
    parameters: z.object({ at: z.string() }),
    execute: async ({ at }) => `fair in ${at}`,
  })

  test('calls tools, and a later run on a store that was opened anew sees all of it', async () => {
    const first = new ScriptedModel([
      [
        functionCall('weather', { at: 'Oslo' }, { callId: 'c1' }),
        functionCall('weather', { at: 'Bergen' }, { callId: 'c2' }),
      ],
      [assistantMessage('Fair in both.')],
    ])
    const here = await openHistory({ store: await stage.open(), conversation: 'trip' })
    const session = agentSession(here)
    const result = await new Runner().run(
      new Agent({ name: 'guide', model: first, tools: [weather] }),
      'Oslo, Bergen?',
      { session },
    )
    expect(result.finalOutput).toBe('Fair in both.')

    const second = new ScriptedModel([[assistantMessage('Oslo and Bergen.')]])
    const there = await openHistory({ store: await stage.open(), conversation: 'trip' })
    await new Runner().run(new Agent({ name: 'guide', model: second, tools: [weather] }), 'Which were they?', {
      session: agentSession(there),
    })
    const seen = second.calls[0]?.request.input as AgentInputItem[]
    expect(seen.map((one) => one.type ?? 'message')).toEqual([
      'message',
      'function_call',
      'function_call',
      'function_call_result',
      'function_call_result',
      'message',
      'message',
    ])
    // and what the engine makes of it is whole
    const window = await there.window({ target: 'anthropic', policy: 'balanced' })
    expect(window).toMatchObject({ ok: true, receipt: { totals: { dropped: 0 } } })
    expect(await there.verify()).toMatchObject({ ok: true })
  })

  test('waits for an approval, and goes on with a state that was written down', async () => {
    const careful = tool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ sum: z.number() }),
      needsApproval: true,
      execute: async ({ sum }) => `paid ${sum}`,
    })
    const model = new ScriptedModel([[functionCall('pay', { sum: 3 }, { callId: 'p1' })], [assistantMessage('Paid.')]])
    const agent = new Agent({ name: 'clerk', model, tools: [careful] })
    const session = agentSession(await openHistory({ store: await stage.open(), conversation: 'bill' }))
    const asked = await new Runner().run(agent, 'Pay 3', { session })
    const [approval] = asked.interruptions
    expect(approval).toBeDefined()
    const state = await RunState.fromString(agent, asked.state.toString())
    for (const one of state.getInterruptions()) state.approve(one)
    const done = await new Runner().run(agent, state, { session })
    expect(done.finalOutput).toBe('Paid.')
    const kinds = ((await session.getItems()) as AgentInputItem[]).map((one) => one.type ?? 'message')
    expect(kinds).toEqual(['message', 'function_call', 'function_call_result', 'message'])
  })

  test('whose answer is blocked leaves what the session of the SDK leaves, by a transaction', async () => {
    const applied: string[] = []
    const kept = await Promise.all(
      [agentSession(await openHistory({ store: await stage.open() })), new MemorySession()].map(async (session) => {
        const watched = new Proxy(session, {
          get(target, name) {
            const found: unknown = Reflect.get(target, name)
            if (typeof found !== 'function') return found
            return (...given: unknown[]) => {
              if (name === 'applyHistoryTransaction') applied.push(target instanceof MemorySession ? 'theirs' : 'ours')
              return found.apply(target, given)
            }
          },
        })
        const model = new ScriptedModel([
          [functionCall('weather', { at: 'Oslo' }, { callId: 'g1' })],
          [assistantMessage('a secret')],
        ])
        const guard = {
          name: 'no secrets',
          execute: async () => ({ tripwireTriggered: true, outputInfo: {} }),
        }
        const agent = new Agent({ name: 'guide', model, tools: [weather], outputGuardrails: [guard] })
        await expect(new Runner().run(agent, 'Tell me', { session: watched as Session })).rejects.toThrow()
        return (await session.getItems()) as AgentInputItem[]
      }),
    )
    const bare = (list: AgentInputItem[] | undefined) => list?.map(({ id: _, ...rest }) => rest)
    expect(bare(kept[0])).toEqual(bare(kept[1]))
    expect(new Set(applied)).toEqual(new Set(['ours', 'theirs']))
    expect(JSON.stringify(kept[0])).not.toContain('a secret')
  })

  test('gets a window that fits, with a marker, while the session keeps everything and the receipt is stored', async () => {
    const history = await openHistory({ store: await stage.open(), conversation: 'long' })
    const session = agentSession(history)
    await session.addItems(
      Array.from({ length: 60 }, (_, i) => [
        { type: 'message', role: 'user', content: `question ${i} ${'word '.repeat(40)}` },
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: `answer ${i}` }],
          providerData: { mine: i },
        },
      ]).flat(),
    )
    const receipts: Receipt[] = []
    const callModelInputFilter = windowed(history, {
      budget: 1_500,
      onReceipt: (receipt) => void receipts.push(receipt),
    })
    const model = new ScriptedModel([
      [functionCall('weather', { at: 'Oslo' }, { callId: 'w1' })],
      [assistantMessage('Fair.')],
    ])
    await new Runner().run(new Agent({ name: 'guide', model, tools: [weather] }), 'And Oslo?', {
      session,
      callModelInputFilter,
    })
    expect(receipts).toHaveLength(2)
    const seen = model.calls[1]?.request.input as AgentInputItem[]
    expect(seen.length).toBeLessThan(60)
    expect(seen.some((one) => 'role' in one && one.role === 'system')).toBe(true)
    expect(seen.slice(-3).map((one) => one.type)).toEqual(['message', 'function_call', 'function_call_result'])
    // items that are whole are the very items, strange fields and all
    expect(seen.some((one) => (one.providerData as { mine?: number } | undefined)?.mine === 59)).toBe(true)
    expect(await session.getItems()).toHaveLength(60 * 2 + 4)
    const used = assemble(seen, 'balanced', { budget: 10_000, target: 'openai-responses' })
    expect(used.ok && used.receipt.totals.tokens.after).toBeLessThanOrEqual(1_500)
  })
})

describe('an agent with a session that outgrew the window', () => {
  const stage = sqliteStage()
  afterAll(() => stage.close())

  test('is called with what the question needs of the rest, as words of a user, and the session does not keep the quote', async () => {
    const store = await stage.open()
    const history = await openHistory({ store, conversation: 'recall' })
    const session = agentSession<AgentInputItem>(history)
    const said = (role: 'user' | 'assistant', text: string): AgentInputItem =>
      role === 'user'
        ? { type: 'message', role, content: text }
        : { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }
    await session.addItems([said('user', 'Hello'), said('assistant', 'Hi')])
    await session.addItems([said('user', 'The hotel in Lisbon is called Miramar.'), said('assistant', 'Noted.')])
    for (let i = 0; i < 40; i++)
      await session.addItems([
        said('user', `Remark ${i} about the invoices. ${'They are long. '.repeat(8)}`),
        said('assistant', `So invoice ${i} is filed.`),
      ])
    const calledWith = async (recall: boolean) => {
      const model = new ScriptedModel([[assistantMessage('Miramar.')]])
      const kept: (string | null)[] = []
      const callModelInputFilter = windowed(history, {
        budget: 1_500,
        recall,
        onReceipt: (_, id) => void kept.push(id),
      })
      await new Runner().run(new Agent({ name: 'guide', model }), 'What is the hotel in Lisbon called?', {
        session,
        callModelInputFilter,
      })
      return { kept, seen: model.calls[0]?.request.input as AgentInputItem[] }
    }
    const without = await calledWith(false)
    expect(JSON.stringify(without.seen.slice(1, -1))).not.toContain('hotel')
    await session.popItem()
    await session.popItem()
    const { seen, kept } = await calledWith(true)
    const quote = seen.find((one) => JSON.stringify(one).includes('3 user: The hotel in Lisbon is called Miramar.'))
    expect(quote).toMatchObject({ role: 'user' })
    expect(seen.at(-1)).toMatchObject({ role: 'user', content: 'What is the hotel in Lisbon called?' })
    expect(await session.getItems()).toHaveLength(86)
    const { items } = await store.receipts('default', 'recall', { limit: 5 })
    expect(items.map(({ id }) => id)).toContain(kept[0])
    expect(items).toHaveLength(2)
  })
})

describe('a window for the agents SDK', () => {
  const words = fc.integer({ min: 1, max: 60 }).map((count) => 'word '.repeat(count))
  const results = fc.oneof(words, fc.constant('x'.repeat(20_000)))
  const turn = fc.record({ asked: words, calls: fc.array(results, { maxLength: 3 }), answered: words })

  /** Turns with parallel calls, each call with its result, as the SDK writes them. */
  const itemsOf = (turns: readonly { asked: string; calls: string[]; answered: string }[]): AgentInputItem[] =>
    turns.flatMap(({ asked, calls, answered }, t): AgentInputItem[] => [
      { type: 'message', role: 'user', content: asked },
      ...calls.map(
        (_, c) =>
          ({ type: 'function_call', callId: `${t}.${c}`, name: 'look', status: 'completed', arguments: '{}' }) as const,
      ),
      ...calls.map(
        (said, c) =>
          ({
            type: 'function_call_result',
            callId: `${t}.${c}`,
            name: 'look',
            status: 'completed',
            output: { type: 'text', text: said },
          }) as const,
      ),
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: answered }] },
    ])

  /** What a provider would refuse, in sentences. */
  function faults(input: readonly AgentInputItem[]): string[] {
    const open = new Set<string>()
    const found: string[] = []
    for (const one of input) {
      if (one.type === 'function_call') open.add(one.callId)
      else if (one.type === 'function_call_result' && !open.delete(one.callId)) found.push(`${one.callId} has no call`)
    }
    return [...found, ...[...open].map((call) => `${call} has no result`)]
  }

  test('fits, is legal, and ends with the newest question, however long the history is', async () => {
    const history = await begin()
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 600, max: 3_000 }),
        async (turns, budget) => {
          const question: AgentInputItem = { type: 'message', role: 'user', content: 'And now?' }
          const given = [...itemsOf(turns), question]
          const before = JSON.stringify(given)
          const { input } = await windowed(history, { budget })({ modelData: { input: given } })
          expect(faults(input)).toEqual([])
          expect(input.at(-1)).toBe(question)
          const again = assemble(input, 'balanced', { budget: 1_000_000, target: 'openai-responses' })
          expect(again.ok && again.receipt.totals.tokens.after).toBeLessThanOrEqual(budget)
          expect(JSON.stringify(given)).toBe(before)
        },
      ),
      { numRuns: Math.min(runs, 1_000) },
    )
  })

  test('(the check above catches a result without its call)', () => {
    const whole = itemsOf([{ asked: 'a', calls: ['b'], answered: 'c' }])
    expect(faults(whole)).toEqual([])
    expect(faults(whole.filter((one) => one.type !== 'function_call'))).toEqual(['0.0 has no call'])
    expect(faults(whole.filter((one) => one.type !== 'function_call_result'))).toEqual(['0.0 has no result'])
  })
})
