// Writes a file of Mastra's by its own storage: two threads of Ada with tools and working memory, one of Ben.
import { LibSQLStore } from '@mastra/libsql'

const storage = new LibSQLStore({ id: 'test', url: process.argv[2] })
await storage.init()
const memory = await storage.getStore('memory')
const at = (second) => new Date(Date.UTC(2026, 0, 2, 3, 4, second))

await thread('a1', 'ada', 'Lisbon', { workingMemory: 'Plans a trip.' }, [
  ['user', [{ type: 'text', text: 'How warm is Lisbon?' }]],
  ['assistant', [invocation('c1', 'weather', { city: 'Lisbon' }, '21 degrees'), { type: 'text', text: '21 degrees.' }]],
])
await thread('a2', 'ada', 'Dinner', {}, [['user', [{ type: 'text', text: 'Where is a good soup?' }]]])
await thread('b1', 'ben', 'Cats', {}, [['user', [{ type: 'text', text: 'My cat is called Miso.' }]]])
const facts = { createdAt: at(0), updatedAt: at(0) }
await memory.saveResource({ resource: { id: 'ada', workingMemory: '# Ada\n- vegetarian', metadata: {}, ...facts } })

async function thread(id, resourceId, title, metadata, said) {
  await memory.saveThread({ thread: { id, resourceId, title, metadata, createdAt: at(0), updatedAt: at(9) } })
  const messages = said.map(([role, parts], i) => ({
    ...{ id: `${id}-${i}`, threadId: id, resourceId, role, createdAt: at(i) },
    content: { format: 2, parts },
  }))
  await memory.saveMessages({ messages })
}

function invocation(toolCallId, toolName, args, result) {
  return { type: 'tool-invocation', toolInvocation: { state: 'result', step: 0, toolCallId, toolName, args, result } }
}
