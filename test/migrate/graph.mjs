// A graph that looks something up and asks a person before it goes on. `ask FILE` runs it up to the question on LangGraph's own
// SQLite; `answer FILE` goes on from ours; `memory FILE` does both, with LangGraph's memory in between.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { checkpointer } from 'throughline/langchain'
import { sqliteStore } from 'throughline/sqlite'
import { moveLangGraph } from './langgraph.mjs'
import { moveTo } from './move.mjs'

const call = { id: 'c1', name: 'weather', args: { city: 'Lisbon' } }
const graphOn = (saver) =>
  new StateGraph(MessagesAnnotation)
    .addNode('look', () => ({
      messages: [
        new AIMessage({ content: '', tool_calls: [call] }),
        new ToolMessage({ tool_call_id: 'c1', content: '21 degrees' }),
      ],
    }))
    .addNode('ask', () => ({ messages: [new AIMessage(`It has 21 degrees. Sent: ${interrupt('Send it?')}`)] }))
    .addEdge(START, 'look')
    .addEdge('look', 'ask')
    .compile({ checkpointer: saver })

const thread = { configurable: { thread_id: 'lisbon' } }
const [what, file] = process.argv.slice(2)

if (what === 'ask') {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  await ask(SqliteSaver.fromConnString(file))
}
if (what === 'memory') {
  const saver = new MemorySaver()
  await ask(saver)
  const to = await moveTo(file)
  await moveLangGraph(saver, to)
  await to.end()
}
if (what !== 'ask') {
  const store = await sqliteStore(file)
  const { messages } = await graphOn(checkpointer({ store })).invoke(new Command({ resume: 'yes' }), thread)
  await store.close()
  console.log(messages.at(-1).text)
}

async function ask(saver) {
  await graphOn(saver).invoke({ messages: [new HumanMessage('How warm is Lisbon?')] }, thread)
}
