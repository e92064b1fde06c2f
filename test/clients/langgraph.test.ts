/** `throughline/langchain` in the hands of LangGraph: checkpointer and store. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import {
  Annotation,
  Command,
  END,
  InMemoryStore,
  isInterrupted,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { checkpointer } from '../../src/adapters/langchain/checkpointer.js'
import { graphStore } from '../../src/adapters/langchain/store/store.js'
import { windowed } from '../../src/adapters/langchain/windowed.js'
import type { Receipt } from '../../src/core/receipt/receipt.js'
import { assemble } from '../../src/core/window/assemble.js'
import { openHistory } from '../../src/engine/history.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { runs } from '../runs.js'
import { build } from './graph.fixture.mjs'
import { freshWorkspace } from './stores.js'

const folder = mkdtempSync(join(tmpdir(), 'throughline-graph-'))
const file = join(folder, 'graph.db')
const store = await sqliteStore(file)
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}

const at = (thread_id: string) => ({ configurable: { thread_id } })

describe('a graph of LangGraph', () => {
  test('is interrupted here and goes on in another process', async () => {
    const graph = build(checkpointer({ store }))
    const stopped = await graph.invoke({ steps: ['begin'] }, at('one'))
    expect(isInterrupted(stopped)).toBe(true)
    const fixture = fileURLToPath(new URL('./graph.fixture.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [fixture, file, 'one', 'yes'])
    expect(JSON.parse(stdout)).toMatchObject({ steps: ['begin', 'prepare', 'ask', 'finish:yes'], answer: 'yes' })
    expect((await graph.getState(at('one'))).next).toEqual([])
  })

  test('travels in time: an old state is run again on a path of its own, a copy keeps its values', async () => {
    const graph = build(checkpointer({ store }))
    await graph.invoke({ steps: ['begin'] }, at('two'))
    await graph.invoke(new Command({ resume: 'yes' }), at('two'))
    const states = await all(graph.getStateHistory(at('two')))
    expect(states.map(({ next }) => next[0] ?? 'end')).toEqual(['end', 'finish', 'ask', 'prepare', '__start__'])
    const before = states[2]!
    const forked = await graph.updateState(before.config, { steps: ['edited'] }, 'prepare')
    await graph.invoke(null, forked)
    const done = await graph.invoke(new Command({ resume: 'no' }), at('two'))
    expect(done).toMatchObject({ steps: ['begin', 'prepare', 'edited', 'ask', 'finish:no'] })
    expect((await graph.getState(states[0]!.config)).values).toMatchObject({ answer: 'yes' })
    const copy = await graph.updateState(states[1]!.config, null, '__copy__')
    expect((await graph.getState(copy)).values).toMatchObject({ steps: ['begin', 'prepare', 'ask'] })
    const limited = await all(graph.getStateHistory(at('two'), { limit: 2, before: states[0]!.config }))
    expect(limited).toHaveLength(2)
  })

  test('keeps the writes of many tasks that end at once', async () => {
    const State = Annotation.Root({
      found: Annotation<number[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
    })
    const graph = new StateGraph(State)
      .addNode('one', (given: { number?: number }) => ({ found: [given.number ?? 0] }))
      .addConditionalEdges(START, () => Array.from({ length: 40 }, (_, number) => new Send('one', { number })))
      .addEdge('one', END)
      .compile({ checkpointer: checkpointer({ store }) as never })
    const { found } = await graph.invoke({}, at('many'))
    expect(found).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })

  test('belongs to a workspace, goes with its thread, and leaves what was said there', async () => {
    const [mine, other] = [checkpointer({ store, workspace: 'a' }), checkpointer({ store, workspace: 'b' })]
    const history = await openHistory({ store, workspace: 'a', conversation: 'three' })
    await history.append('Hello')
    await build(mine).invoke({ steps: [] }, at('three'))
    expect(await other.getTuple(at('three'))).toBeUndefined()
    expect(await all(other.list({}))).toEqual([])
    await mine.deleteThread('three')
    expect(await mine.getTuple(at('three'))).toBeUndefined()
    expect(await all(mine.list(at('three')))).toEqual([])
    for (const kind of ['checkpoint', 'checkpoint-state', 'checkpoint-head', 'checkpoint-writes'])
      expect((await store.records('a', { kind, limit: 10 })).items).toEqual([])
    expect(await history.path()).toHaveLength(1)
    await build(mine).invoke({ steps: [] }, at('three'))
    expect(await mine.getTuple(at('three'))).toBeDefined()
  })
})

describe('the messages of a graph', () => {
  /** One node that calls a model, which says how many messages it was given. */
  const talking = (fit: ReturnType<typeof windowed>, saver = checkpointer({ store, messages: 'messages' })) => {
    const seen: BaseMessage[][] = []
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }, config) => {
        const given = await fit(messages as never, config as never)
        seen.push(given as never)
        return { messages: [new AIMessage(`I saw ${given.length}.`)] }
      })
      .addEdge(START, 'model')
      .addEdge('model', END)
      .compile({ checkpointer: saver as never })
    return { graph, seen }
  }
  const logOf = (conversation: string) => openHistory({ store, conversation })
  const textsIn = async (thread: string) => (await (await logOf(thread)).path()).map(({ text }) => text)
  const filler = Array.from({ length: 40 }, (_, i) => [
    new HumanMessage(`Remark ${i} about the invoices. ${'They are long. '.repeat(8)}`),
    new AIMessage(`So invoice ${i} is filed.`),
  ]).flat()
  const told = [
    new HumanMessage('Hello'),
    new AIMessage('Hi'),
    new HumanMessage('The hotel in Lisbon is called Miramar.'),
    new AIMessage('Noted.'),
  ]

  test('become a window with what was recalled, the state keeps them all, and the log mirrors them with receipts', async () => {
    const receipts: (string | null)[] = []
    const { graph, seen } = talking(
      windowed({ budget: 1_500, recall: true, history: logOf, onReceipt: (_, id) => void receipts.push(id) }),
    )
    const asked = new HumanMessage('What is the hotel in Lisbon called?')
    const given = [new SystemMessage('Be short.'), ...told, ...filler, asked]
    const { messages } = await graph.invoke({ messages: given }, at('hotel'))
    expect(messages).toHaveLength(87)
    const [sent = []] = seen
    expect(sent.length).toBeLessThan(60)
    expect(sent[0]?.text).toBe('Be short.')
    expect(sent.at(-1)?.text).toBe(asked.text)
    expect(sent.find(({ text }) => text.includes('3 user: The hotel in Lisbon is called Miramar.'))?.type).toBe('human')
    expect(await textsIn('hotel')).toEqual(messages.map(({ text }) => text))
    const kept = await store.receipts('default', 'hotel', { limit: 5 })
    expect(kept.items.map(({ id }) => id)).toEqual(receipts)
  })

  test('are mirrored as they change: what was removed is on no path, and in the log', async () => {
    const { graph } = talking(windowed({ history: logOf }))
    await graph.invoke({ messages: [new HumanMessage({ id: 'one', content: 'One' })] }, at('changing'))
    await graph.invoke({ messages: [new HumanMessage({ id: 'two', content: 'Two' })] }, at('changing'))
    expect(await textsIn('changing')).toEqual(['One', 'I saw 1.', 'Two', 'I saw 3.'])
    await graph.invoke({ messages: [new RemoveMessage({ id: 'one' }), new HumanMessage('Three')] }, at('changing'))
    expect(await textsIn('changing')).toEqual(['I saw 1.', 'Two', 'I saw 3.', 'Three', 'I saw 4.'])
    const log = await logOf('changing')
    expect((await log.feed(0)).map(({ text }) => text)).toContain('One')
    expect(await log.verify()).toMatchObject({ ok: true })
  })

  test('need no log and no thread; a log for each thread needs one', async () => {
    const receipts: Receipt[] = []
    const fit = windowed({ budget: 1_500, onReceipt: (receipt) => void receipts.push(receipt) })
    const sent = await fit([...told, ...filler, new HumanMessage('What is the hotel in Lisbon called?')] as never)
    expect(receipts[0]?.totals.dropped).toBeGreaterThan(0)
    expect(sent.slice(1, -1).some(({ text }) => text.includes('Miramar'))).toBe(false)
    await expect(windowed({ history: logOf })(told as never)).rejects.toMatchObject({ code: 'invalid' })
  })

  const words = fc.integer({ min: 1, max: 60 }).map((count) => 'word '.repeat(count))
  const results = fc.oneof(words, fc.constant('x'.repeat(20_000)))
  const turn = fc.record({ asked: words, calls: fc.array(results, { maxLength: 3 }), answered: words })
  const messagesOf = (turns: readonly { asked: string; calls: string[]; answered: string }[]): BaseMessage[] =>
    turns.flatMap(({ asked, calls, answered }, t) => [
      new HumanMessage(asked),
      ...(calls.length > 0
        ? [
            new AIMessage({
              content: '',
              tool_calls: calls.map((_, c) => ({ id: `${t}.${c}`, name: 'look', args: {} })),
            }),
          ]
        : []),
      ...calls.map((said, c) => new ToolMessage({ content: said, tool_call_id: `${t}.${c}` })),
      new AIMessage(answered),
    ])

  /** What a provider would refuse, in sentences. */
  function faults(messages: readonly BaseMessage[]): string[] {
    const open = new Set<string>()
    const found: string[] = []
    for (const one of messages) {
      if (one instanceof AIMessage) for (const { id = '' } of one.tool_calls ?? []) open.add(id)
      if (one instanceof ToolMessage && !open.delete(one.tool_call_id)) found.push(`${one.tool_call_id} has no call`)
    }
    return [...found, ...[...open].map((call) => `${call} has no result`)]
  }

  test('fit, are legal, and end with the newest question, however long the graph has run', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 600, max: 3_000 }),
        async (turns, budget) => {
          const question = new HumanMessage('And now?')
          const sent = (await windowed({ budget, recall: true })([
            ...messagesOf(turns),
            question,
          ] as never)) as unknown as BaseMessage[]
          expect(faults(sent)).toEqual([])
          expect(sent.at(-1)).toBe(question)
          const again = assemble(sent, 'balanced', { budget: 1_000_000, target: 'openai-chat' })
          expect(again.ok && again.receipt.totals.tokens.after).toBeLessThanOrEqual(budget)
        },
      ),
      { numRuns: Math.min(runs, 1_000) },
    )
  })

  test('(the check above catches a result without its call, and a call without its result)', () => {
    const whole = messagesOf([{ asked: 'a', calls: ['b'], answered: 'c' }])
    expect(faults(whole)).toEqual([])
    expect(faults(whole.toSpliced(1, 1))).toEqual(['0.0 has no call'])
    expect(faults(whole.toSpliced(2, 1))).toEqual(['0.0 has no result'])
  })
})

describe('the long-term store', () => {
  const label = fc.constantFrom('users', 'ada', 'bob', 'notes')
  const namespace = fc.array(label, { minLength: 1, maxLength: 3 })
  const key = fc.constantFrom('k1', 'k2', 'k3')
  const value = fc.record({ n: fc.integer({ min: 0, max: 5 }), kind: fc.constantFrom('a', 'b') })
  const filter = fc.constantFrom(
    {},
    { kind: 'a' },
    { n: { $gte: 2, $lt: 5 } },
    { kind: { $ne: 'b' } },
    { n: { $in: [1, 2] } },
  )
  const act = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('put' as const), namespace, key, value }) },
    fc.record({ do: fc.constant('delete' as const), namespace, key }),
    fc.record({ do: fc.constant('get' as const), namespace, key }),
    fc.record({ do: fc.constant('search' as const), namespace: fc.array(label, { maxLength: 2 }), filter }),
  )

  test('finds what the InMemoryStore of LangGraph finds', async () => {
    const data = memoryStore()
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
        const [ours, theirs] = [graphStore({ store: data, workspace: freshWorkspace() }), new InMemoryStore()]
        for (const one of acts) {
          const said = await Promise.all(
            [ours, theirs].map(async (both) => {
              if (one.do === 'put') return void (await both.put(one.namespace, one.key, one.value))
              if (one.do === 'delete') return void (await both.delete(one.namespace, one.key))
              if (one.do === 'get') return (await both.get(one.namespace, one.key))?.value ?? null
              const found = await both.search(one.namespace, { filter: one.filter, limit: 100 })
              return found.map((item) => JSON.stringify([item.namespace, item.key, item.value])).sort()
            }),
          )
          expect(said[0]).toEqual(said[1])
        }
        // theirs also lists namespaces that hold nothing
        const names = (await ours.listNamespaces({ limit: 100 })).map((name) => JSON.stringify(name))
        const full = (await theirs.search([], { limit: 100 })).map((item) => JSON.stringify(item.namespace))
        expect(names).toEqual([...new Set(names)])
        expect(new Set(names)).toEqual(new Set(full))
      }),
      { numRuns: Math.min(runs, 1_000) },
    )
  })

  test('lists namespaces by prefix, suffix and depth, reads before it writes, and gives back values to the letter', async () => {
    const ours = graphStore({ store, workspace: 'list' })
    for (const user of ['ada', 'bob'])
      for (const kind of ['notes', 'facts']) await ours.put(['users', user, kind], 'k', { user })
    await ours.put(['docs'], 'odd', { text: 'NUL \0 and half \ud800', list: [1, { deep: null }] })
    expect(await ours.listNamespaces({ maxDepth: 2 })).toEqual([['docs'], ['users', 'ada'], ['users', 'bob']])
    expect(await ours.listNamespaces({ prefix: ['users', '*', 'facts'] })).toHaveLength(2)
    expect(await ours.listNamespaces({ suffix: ['notes'], limit: 1, offset: 1 })).toEqual([['users', 'bob', 'notes']])
    expect((await ours.get(['docs'], 'odd'))?.value).toEqual({
      text: 'NUL \0 and half \ud800',
      list: [1, { deep: null }],
    })
    const [, before, found] = (await ours.batch([
      { namespace: ['docs'], key: 'odd', value: { text: 'new' } },
      { namespace: ['docs'], key: 'odd' },
      { namespacePrefix: ['users', 'ada'], limit: 1, offset: 1 },
    ])) as unknown[]
    expect(before).toMatchObject({ value: { list: [1, { deep: null }] } })
    expect(found).toHaveLength(1)
    expect((await ours.get(['docs'], 'odd'))?.value).toEqual({ text: 'new' })
    await expect(ours.put([], 'k', {})).rejects.toThrow()
  })

  test('finds by meaning with the embeddings it is given', async () => {
    const axes = ['tea', 'rain']
    const embed = (text: string) => axes.map((axis) => (text.includes(axis) ? 1 : 0))
    const embeddings = {
      embedQuery: async (text: string) => embed(text),
      embedDocuments: async (texts: string[]) => texts.map(embed),
    }
    const ours = graphStore({
      store,
      workspace: 'meaning',
      index: { dims: 2, embeddings: embeddings as never, fields: ['text'] },
    })
    await ours.put(['m'], 'rain', { text: 'it will rain' })
    await ours.put(['m'], 'tea', { text: 'a cup of tea' })
    await ours.put(['m'], 'none', { text: 'tea too' }, false)
    const found = await ours.search(['m'], { query: 'tea, please' })
    expect(found.map(({ key }) => key)).toEqual(['tea', 'rain', 'none'])
    expect(found.map(({ score }) => score)).toEqual([1, 0, undefined])
  })

  test('is there for the nodes of a graph', async () => {
    const long = graphStore({ store })
    const graph = build(checkpointer({ store }), long)
    await graph.invoke({ steps: [] }, at('stored'))
    await graph.invoke(new Command({ resume: 'kept' }), at('stored'))
    expect((await long.get(['answers'], 'last'))?.value).toEqual({ answer: 'kept' })
  })
})
