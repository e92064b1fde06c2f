import { describe, expect, test } from 'vitest'
import type { ModelEvent } from '../../models/wire/contract.js'
import { memoryStore } from '../../store/memory/store.js'
import { finish, gate, place, type Script, stage } from '../runs.fixture.js'
import type { ToolSource } from '../tools/calls.js'
import type { Tool } from '../tools/tool.js'

const calling = (...all: readonly (readonly [id: string, name: string, input: unknown])[]): readonly ModelEvent[] => [
  ...all.map(([id, name, input]): ModelEvent => ({ type: 'call', id, name, input })),
  { type: 'finish', reason: 'calls', usage: { input: 10, output: 2 } },
]
const says = (text: string): readonly ModelEvent[] => [{ type: 'text', text }, finish]

/** One answer for each request. */
const scripted = (...turns: readonly (readonly ModelEvent[])[]): Script =>
  async function* (_, call) {
    yield* turns[call] ?? says('nothing more')
  }

const toolsOf = (tools: Readonly<Record<string, Tool>>): ToolSource => ({
  of: async () => new Map(Object.entries(tools)),
})

const look: Tool = { description: 'Looks', parameters: { type: 'object' }, execute: () => 'seen' }

describe('a run with tools of the server', () => {
  test('is one run of many steps, each with its answer, its receipt and its events', async () => {
    const { say, path, events, store, requests } = stage(
      scripted(calling(['c1', 'look', {}]), calling(['c2', 'look', {}]), says('Done.')),
      { tools: toolsOf({ look }) },
    )
    const run = await say('Go', { agent: true })
    expect(run).toMatchObject({ state: 'done', steps: 3, usage: { input: 30, output: 6 }, error: null, waiting: [] })
    expect(run.receipts).toHaveLength(3)
    for (const receipt of run.receipts)
      expect(await store.getReceipt('w', receipt)).toMatchObject({ body: { run: run.id } })
    const log = await path()
    expect(log.map(({ body }) => body.kind)).toEqual(['message', 'message', 'result', 'message', 'result', 'message'])
    expect(log.at(-1)).toMatchObject({ id: run.entry, text: 'Done.', meta: { receipt: run.receipts[2] } })
    expect(log[2]?.meta).toMatchObject({ run: run.id, tool: { name: 'look', state: 'ok' } })
    expect(requests[2]?.items.at(-1)).toMatchObject({ role: 'assistant' })
    const told = (await events()).map(({ type }) => type).filter((type) => /^(tool|run|window)-/.test(type))
    const step = ['window-made', 'tool-started', 'tool-ended']
    expect(told).toEqual(['run-started', ...step, ...step, 'window-made', 'run-ended'])
    const { items } = await store.records('w', { kind: 'usage', limit: 10 })
    expect(items[0]?.body).toMatchObject({ runs: 1, done: 1, messages: 4, input: 30, output: 6 })
    expect(await store.drafts('w', 'c')).toEqual([])
  })

  test('leaves the calls of tools that the caller brought to the caller', async () => {
    const { say, runs, texts } = stage(
      scripted(calling(['c1', 'look', {}], ['c2', 'theirs', {}]), says('Both seen.')),
      { tools: toolsOf({ look }) },
    )
    const tools = [{ name: 'theirs', parameters: { type: 'object' } }]
    expect(await say('Go', { agent: true, tools })).toMatchObject({ state: 'done', finish: 'calls', steps: 1 })
    const message = { role: 'tool', tool_call_id: 'c2', content: 'mine' }
    const next = await runs.start({ ...place, message, agent: true, tools })
    expect(await next.ended).toMatchObject({ state: 'done', steps: 1 })
    expect((await texts()).slice(2)).toEqual(['seen', 'mine', 'Both seen.'])
  })

  test('does not call them unless it is an agent', async () => {
    const { say, requests } = stage(scripted(says('No tools.')), { tools: toolsOf({ look }) })
    await say('Go')
    expect(requests[0]?.tools).toBeUndefined()
  })

  test('waits for a decision, and goes on when the last call is decided about', async () => {
    const done: string[] = []
    const pay: Tool = { approval: 'ask', execute: (input) => void done.push(JSON.stringify(input)) }
    const { say, runs, path, events } = stage(
      scripted(calling(['c1', 'pay', { euros: 5 }], ['c2', 'pay', { euros: 9 }], ['c3', 'look', {}]), says('Paid.')),
      { tools: toolsOf({ pay, look }) },
    )
    const run = await say('Pay', { agent: true })
    expect(run).toMatchObject({ state: 'waiting', waiting: [{ id: 'c1', input: { euros: 5 } }, { id: 'c2' }] })
    expect(done).toEqual([])
    const first = await runs.decide('w', 'c', run.id, { c1: { verdict: 'approve' } })
    expect(first).toMatchObject({ next: null, run: { state: 'waiting', waiting: [{ id: 'c2' }] } })
    await expect(runs.decide('w', 'c', run.id, { c1: { verdict: 'deny' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { next } = await runs.decide('w', 'c', run.id, { c2: { verdict: 'deny', reason: 'too much' } })
    expect(await next?.ended).toMatchObject({ state: 'done', steps: 1 })
    expect(done).toEqual(['{"euros":5}'])
    const log = (await path()).map(({ text }) => text)
    expect(log).toContain('the user did not allow this call: too much')
    expect(log.at(-1)).toBe('Paid.')
    const told = (await events()).filter(({ type }) => type.startsWith('approval-'))
    expect(told.map(({ type, data }) => [type, (data as { id: string }).id])).toEqual([
      ['approval-asked', 'c1'],
      ['approval-asked', 'c2'],
      ['approval-given', 'c1'],
      ['approval-given', 'c2'],
    ])
    await expect(runs.decide('w', 'c', run.id, { c2: { verdict: 'approve' } })).rejects.toMatchObject({
      code: 'illegal_move',
    })
  })

  test('that waits does not stand in the way of another message', async () => {
    const pay: Tool = { approval: 'ask', execute: () => 'paid' }
    const { say, runs } = stage(scripted(calling(['c1', 'pay', {}]), says('As you like.')), { tools: toolsOf({ pay }) })
    const run = await say('Pay', { agent: true })
    expect(await say('Never mind', { agent: true })).toMatchObject({ state: 'done' })
    await expect(runs.decide('w', 'c', run.id, { c1: { verdict: 'approve' } })).rejects.toMatchObject({
      code: 'illegal_move',
    })
  })

  test('ends at its limits, and the next message goes on', async () => {
    const endless: Script = async function* (_, call) {
      yield* calling([`c${call}`, 'look', {}])
    }
    const { say, runs } = stage(endless, { tools: toolsOf({ look }), limits: { steps: 3 } })
    const run = await say('Go', { agent: true })
    expect(run).toMatchObject({ state: 'stopped', steps: 3, error: { code: 'limit_steps' } })
    expect(await say('Go on', { agent: true, limits: { tokens: 20 } })).toMatchObject({
      error: { code: 'limit_tokens' },
    })
    expect(await (await runs.resume('w', 'c', run.id)).ended).toMatchObject({
      steps: 3,
      error: { code: 'limit_steps' },
    })
  })

  test('can be stopped while a tool runs that does not listen', async () => {
    const began = gate()
    const deaf: Tool = {
      execute: () => {
        began.open()
        return new Promise(() => {})
      },
    }
    const { runs, path, say } = stage(scripted(calling(['c1', 'deaf', {}]), says('Hello.')), {
      tools: toolsOf({ deaf }),
    })
    const started = await runs.start({ ...place, message: 'Go', agent: true })
    await began.passed
    expect(await runs.stop('w', 'c', started.run.id)).toMatchObject({ state: 'stopped' })
    const last = (await path()).at(-1)
    expect(last).toMatchObject({ body: { kind: 'result', callId: 'c1', state: 'error' } })
    expect(last?.text).toContain('not known')
    expect(await say('Hi', { agent: true })).toMatchObject({ state: 'done' })
  })

  test('refuses a message while its tools run', async () => {
    const began = gate()
    const release = gate()
    const slow: Tool = {
      execute: () => {
        began.open()
        return release.passed.then(() => 'late')
      },
    }
    const { runs } = stage(scripted(calling(['c1', 'slow', {}]), says('Done.')), { tools: toolsOf({ slow }) })
    const started = await runs.start({ ...place, message: 'Go', agent: true, key: 'k' })
    await began.passed
    await expect(runs.start({ ...place, message: 'Me first' })).rejects.toMatchObject({ code: 'busy' })
    expect(await runs.start({ ...place, message: 'Go', agent: true, key: 'k' })).toMatchObject({ repeated: true })
    release.open()
    expect(await started.ended).toMatchObject({ state: 'done', steps: 2 })
  })

  test('after a crash in the middle of a call says that it does not know, and runs it again only when asked', async () => {
    let ran = 0
    const began = gate()
    const slow: Tool = {
      execute: () => {
        ran++
        began.open()
        return ran === 1 ? new Promise(() => {}) : 'again'
      },
    }
    const store = memoryStore()
    const tools = toolsOf({ slow, look })
    const script = scripted(calling(['c1', 'slow', {}], ['c2', 'look', {}]), says('I will check first.'))
    let alive = true
    // a server that is gone writes nothing more
    const dying = {
      ...store,
      commit: (...given: Parameters<typeof store.commit>) =>
        alive ? store.commit(...given) : new Promise<never>(() => {}),
    }
    const { runs, path } = stage(script, { store: dying, tools, leaseSeconds: 0.3 })
    const started = await runs.start({ ...place, message: 'Go', agent: true })
    await began.passed
    await expect.poll(async () => (await path()).some(({ text }) => text === 'seen')).toBe(true)
    alive = false
    const { runs: other } = stage(scripted(says('I will check first.')), { store, tools })
    await expect.poll(() => other.recover(['w'])).toBe(1)
    const run = await other.get('w', 'c', started.run.id)
    expect(run).toMatchObject({ state: 'interrupted' })
    const results = (await path()).flatMap(({ body, text }) => (body.kind === 'result' ? [[body.callId, text]] : []))
    expect(results).toEqual([
      ['c2', 'seen'],
      ['c1', expect.stringContaining('the server went away while this call was running')],
    ])
    const next = await other.resume('w', 'c', started.run.id)
    expect(await next.ended).toMatchObject({ state: 'done' })
    expect(ran).toBe(1)
    expect((await path()).at(-1)?.text).toBe('I will check first.')
  })
})
