/** `throughline/langchain` in the hands of LangGraph: checkpointer and store. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Annotation, Command, END, InMemoryStore, isInterrupted, Send, START, StateGraph } from '@langchain/langgraph'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { checkpointer } from '../../src/adapters/langchain/checkpointer.js'
import { graphStore } from '../../src/adapters/langchain/store/store.js'
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
