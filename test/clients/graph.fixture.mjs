// Resumes an interrupted graph in a process of its own: node graph.fixture.mjs <database> <thread> <answer>
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'

/** Asks a person in the middle, and counts how often each step ran. */
export function build(checkpointer, store) {
  const State = Annotation.Root({
    steps: Annotation({ reducer: (all, more) => [...all, ...more], default: () => [] }),
    answer: Annotation(),
  })
  return new StateGraph(State)
    .addNode('prepare', () => ({ steps: ['prepare'] }))
    .addNode('ask', async (_, config) => {
      const answer = interrupt({ question: 'Shall I?' })
      await config.store?.put(['answers'], 'last', { answer })
      return { steps: ['ask'], answer }
    })
    .addNode('finish', (state) => ({ steps: [`finish:${state.answer}`] }))
    .addEdge(START, 'prepare')
    .addEdge('prepare', 'ask')
    .addEdge('ask', 'finish')
    .addEdge('finish', END)
    .compile({ checkpointer, store })
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [file, thread_id, answer] = process.argv.slice(2)
  const { sqliteStore } = await import('../../dist/store/sqlite/index.js')
  const { checkpointer } = await import('../../dist/adapters/langchain/index.js')
  const store = await sqliteStore(file)
  const graph = build(checkpointer({ store }))
  const state = await graph.invoke(new Command({ resume: answer }), { configurable: { thread_id } })
  process.stdout.write(JSON.stringify(state))
  await store.close()
}
