// A chain of LangChain that remembers: its chat message history is a conversation of ours.
import { strict as assert } from 'node:assert'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { openHistory } from 'throughline/engine'
import { chatHistory } from 'throughline/langchain'
import { memoryStore } from 'throughline/store'

const store = memoryStore()
const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'Be short.'],
  new MessagesPlaceholder('history'),
  ['human', '{input}'],
])
// answers from a list, so that this runs anywhere; any chat model will do
const model = new FakeListChatModel({ responses: ['Hello Ada.', 'You are Ada.'] })
const chain = new RunnableWithMessageHistory({
  runnable: prompt.pipe(model),
  getMessageHistory: async (id: string) => chatHistory(await openHistory({ store, conversation: id })),
  inputMessagesKey: 'input',
  historyMessagesKey: 'history',
})

const config = { configurable: { sessionId: 'ada' } }
await chain.invoke({ input: 'I am Ada.' }, config)
const answer = await chain.invoke({ input: 'Who am I?' }, config)

assert.equal(answer.text, 'You are Ada.')
const history = await openHistory({ store, conversation: 'ada' })
assert.deepEqual(
  (await history.path()).map(({ text }) => text),
  ['I am Ada.', 'Hello Ada.', 'Who am I?', 'You are Ada.'],
)
console.log('4 messages in the log')
// prints: 4 messages in the log
