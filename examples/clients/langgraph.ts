// A graph of LangGraph that waits for a person and goes on from the file it was kept in.
import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { checkpointer, graphStore } from 'throughline/langchain'
import { sqliteStore } from 'throughline/sqlite'
import type { Store } from 'throughline/store'

const folder = mkdtempSync(join(tmpdir(), 'throughline-example-'))
const State = Annotation.Root({ draft: Annotation<string>(), verdict: Annotation<string>() })
const graphOn = (store: Store) =>
  new StateGraph(State)
    .addNode('write', () => ({ draft: 'Dear Ada' }))
    .addNode('review', async ({ draft }, config) => {
      const verdict: string = interrupt({ question: 'Send it?', draft })
      await config.store?.put(['verdicts'], 'last', { verdict })
      return { verdict }
    })
    .addEdge(START, 'write')
    .addEdge('write', 'review')
    .addEdge('review', END)
    .compile({ checkpointer: checkpointer({ store }), store: graphStore({ store }) })

const thread = { configurable: { thread_id: 'letter' } }
const first = await sqliteStore(join(folder, 'graph.db'))
await graphOn(first).invoke({}, thread)
await first.close()

const second = await sqliteStore(join(folder, 'graph.db'))
const done = await graphOn(second).invoke(new Command({ resume: 'yes' }), thread)
assert.deepEqual(done, { draft: 'Dear Ada', verdict: 'yes' })
assert.deepEqual((await graphStore({ store: second }).get(['verdicts'], 'last'))?.value, { verdict: 'yes' })
await second.close()
rmSync(folder, { recursive: true })
console.log('resumed with: yes')
// prints: resumed with: yes
