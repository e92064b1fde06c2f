// A graph of LangGraph that waits for a person and goes on from the file it was kept in, and one that talks in windows.
import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { Annotation, Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { openHistory } from 'throughline/engine'
import { checkpointer, graphStore, windowed } from 'throughline/langchain'
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

// the model gets what fits and what it needs of the rest; the log mirrors the state, with a receipt for each call
const model = new FakeListChatModel({ responses: ['Noted.', 'Filed.', 'Filed.', 'Miramar.'] })
const fit = windowed({
  budget: 800,
  recall: true,
  history: (thread) => openHistory({ store: second, conversation: thread }),
})
const chat = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(await fit(messages, config))] }))
  .addEdge(START, 'model')
  .addEdge('model', END)
  .compile({ checkpointer: checkpointer({ store: second, messages: 'messages' }) })
const trip = { configurable: { thread_id: 'trip' } }
const invoice = 'A long invoice. '.repeat(60)
for (const words of ['The hotel is called Miramar.', invoice, invoice, 'What is the hotel called?'])
  await chat.invoke({ messages: [new HumanMessage(words)] }, trip)
const log = await openHistory({ store: second, conversation: 'trip' })
const receipts = await second.receipts('default', 'trip', { limit: 10 })
console.log(`${(await log.path()).length} messages in the log, ${receipts.items.length} receipts`)
await second.close()
rmSync(folder, { recursive: true })
// prints: 8 messages in the log, 4 receipts
