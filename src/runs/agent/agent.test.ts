import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findModel } from '../../core/tokens/models.js'
import { openHistory } from '../../engine/history.js'
import type { Model, ModelEvent, ModelRequest } from '../../models/wire/contract.js'
import { memoryStore } from '../../store/memory/store.js'
import { type Schema, type Tool, type ToolCall, tool } from '../tools/tool.js'
import { openAgent } from './agent.js'

type Turn = readonly ModelEvent[] | ((request: ModelRequest) => readonly ModelEvent[])

/** Says what it was given to say, and remembers what it was asked. */
function scripted(...turns: readonly Turn[]) {
  const asked: ModelRequest[] = []
  const model: Model = {
    id: 'test/gpt-4o',
    label: 'test',
    kind: 'local',
    facts: findModel('gpt-4o'),
    target: 'openai-chat',
    async *stream(request) {
      const turn = turns[asked.length] ?? says('nothing more')
      asked.push(request)
      for (const event of typeof turn === 'function' ? turn(request) : turn) {
        request.signal.throwIfAborted()
        yield event
      }
    },
  }
  return { model, asked }
}

const finish = (reason: 'stop' | 'calls'): ModelEvent => ({ type: 'finish', reason, usage: { input: 100, output: 10 } })
const says = (text: string): readonly ModelEvent[] => [{ type: 'text', text }, finish('stop')]
const calls = (...all: readonly (readonly [id: string, name: string, input: unknown])[]): readonly ModelEvent[] => [
  ...all.map(([id, name, input]): ModelEvent => ({ type: 'call', id, name, input })),
  finish('calls'),
]

const weather = tool({
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: city.toUpperCase() }),
})

const open = () => openHistory({ store: memoryStore(), system: 'Be brief.' })

describe('an agent', () => {
  test('calls its tools side by side, answers, and keeps a receipt of each step', async () => {
    const { model, asked } = scripted(
      calls(['c1', 'weather', { city: 'Rome' }], ['c2', 'time', {}]),
      says('Sunny at noon.'),
    )
    const started: string[] = []
    let release = () => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    const meet = async (name: string) => {
      started.push(name)
      if (started.length === 2) release()
      await both
    }
    const history = await open()
    const agent = openAgent({
      history,
      model,
      tools: {
        weather: { ...weather, execute: async ({ city }) => meet('weather').then(() => `sunny in ${city}`) },
        time: { execute: () => meet('time').then(() => 'noon') },
      },
    })
    const answer = await agent.send('What is it like in Rome?')
    expect(answer).toMatchObject({ text: 'Sunny at noon.', ended: 'done', usage: { input: 200, output: 20 } })
    expect(answer.receipts).toHaveLength(2)
    expect(asked[0]?.tools?.[0]).toMatchObject({ name: 'weather', parameters: { required: ['city'] } })
    expect(asked[0]?.window.system).toBe('Be brief.')
    const texts = (await history.path()).map(({ text }) => text)
    expect([texts[0], texts[4]]).toEqual(['What is it like in Rome?', 'Sunny at noon.'])
    // each result is kept as soon as it is there
    expect(texts.slice(2, 4).sort()).toEqual(['noon', 'sunny in Rome'])
    expect(await history.verify()).toMatchObject({ ok: true })
  })

  test('remembers: the next message is answered with all that was said', async () => {
    const { model, asked } = scripted(says('Noted.'), says('Blue.'))
    const agent = openAgent({ history: await open(), model })
    await agent.send('My colour is blue.')
    await agent.send('What is my colour?')
    expect(asked[1]?.items.map(({ text }) => text)).toEqual(['My colour is blue.', 'Noted.', 'What is my colour?'])
  })

  test('tells the model of a wrong input, an unknown tool and what a tool throws', async () => {
    const { model } = scripted(
      calls(['c1', 'weather', { city: 7 }], ['c2', 'nosuch', {}], ['c3', 'broken', {}]),
      says('Sorry.'),
    )
    const history = await open()
    const broken = tool({
      execute: () => {
        throw new Error('out of order')
      },
    })
    await openAgent({ history, model, tools: { weather, broken } }).send('Go')
    const results = (await history.path()).flatMap(({ body, text }) =>
      body.kind === 'result' ? [[body.callId, body.state, text]] : [],
    )
    expect(results.sort()).toEqual([
      ['c1', 'error', expect.stringMatching(/^the input is wrong: city: /)],
      ['c2', 'error', "there is no tool 'nosuch'"],
      ['c3', 'error', 'out of order'],
    ])
  })

  test('asks before a tool that wants it, waits without an answer, and goes on when it is resumed', async () => {
    const done: string[] = []
    const tools = {
      pay: { approval: 'ask' as const, execute: () => done.push('paid') },
      look: { execute: () => done.push('looked') },
      wipe: { approval: 'never' as const, execute: () => done.push('wiped') },
    }
    const script = () =>
      scripted(calls(['c1', 'pay', { euros: 5 }], ['c2', 'look', {}], ['c3', 'wipe', {}]), says('Done.'))
    const history = await open()
    const { model, asked } = script()
    const agent = openAgent({ history, model, tools })
    const waits = await agent.send('Pay')
    expect(waits).toMatchObject({ ended: 'approval', waiting: [{ id: 'c1', name: 'pay', input: { euros: 5 } }] })
    expect(done).toEqual(['looked'])
    // another process, the same history
    const later = openAgent({ history, model, tools })
    expect(await later.resume({ c1: true })).toMatchObject({ ended: 'done', text: 'Done.' })
    expect(done).toEqual(['looked', 'paid'])
    expect(asked).toHaveLength(2)
    const refusing = await open()
    await openAgent({ history: refusing, model: script().model, tools, approve: () => false }).send('Pay')
    expect((await refusing.path()).map(({ text }) => text)).toContain('the user did not allow this call')
    expect(done).toEqual(['looked', 'paid', 'looked'])
  })

  test('ends at its limits of steps, tokens and time', async () => {
    const again = () => calls([`c${Math.random()}`, 'look', {}])
    const endless = () => scripted(...Array.from({ length: 9 }, () => again())).model
    const tools: { readonly look: Tool<Schema> } = { look: { execute: () => 'seen' } }
    const ended = async (limits: object, look = tools.look) =>
      (await openAgent({ history: await open(), model: endless(), tools: { look }, limits }).send('Go')).ended
    expect(await ended({ steps: 3 })).toBe('steps')
    expect(await ended({ tokens: 150 })).toBe('tokens')
    const patient = {
      execute: (_: unknown, { signal }: ToolCall) =>
        new Promise<string>((resolve) => {
          signal.addEventListener('abort', () => resolve('too late'))
        }),
    }
    expect(await ended({ milliseconds: 5 }, patient)).toBe('time')
  })

  test('keeps what was said when it is stopped, and the history can be gone on with', async () => {
    const stop = new AbortController()
    const { model } = scripted(
      (): readonly ModelEvent[] => [{ type: 'text', text: 'Once upon' }, ...says(' a time')],
      says('The end.'),
    )
    const history = await open()
    const agent = openAgent({ history, model })
    const events: string[] = []
    const told = agent.stream('Tell me', { signal: stop.signal })
    for (let next = await told.next(); ; next = await told.next()) {
      if (next.done) {
        expect(next.value).toMatchObject({ ended: 'stopped', text: 'Once upon' })
        break
      }
      events.push(next.value.type)
      if (next.value.type === 'text') stop.abort()
    }
    expect(events).toEqual(['step', 'text'])
    expect((await history.path()).at(-1)?.body).toMatchObject({ status: 'aborted' })
    expect(await agent.send('Go on')).toMatchObject({ ended: 'done', text: 'The end.' })
  })

  test('that breaks leaves an aborted answer and says why', async () => {
    const { model } = scripted(() => {
      throw new Error('the line is dead')
    })
    const history = await open()
    await expect(openAgent({ history, model }).send('Hello')).rejects.toThrow('the line is dead')
    expect(await history.verify()).toMatchObject({ ok: true })
  })
})
