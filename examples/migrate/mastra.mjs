// node mastra.mjs file:mastra.db chat.db: Mastra's threads with their messages, and its working memory as notes.
// For another storage (PostgreSQL, Upstash) import `moveMastra` and give it `await storage.getStore('memory')`.
import { isStarted, moveTo } from './move.mjs'

export async function moveMastra(memory, to) {
  const resources = new Set()
  const { threads } = await memory.listThreads({ perPage: false })
  for (const { id, resourceId: workspace, title, metadata } of threads) {
    const orderBy = { field: 'createdAt', direction: 'ASC' }
    const { messages } = await memory.listMessages({ threadId: id, perPage: false, orderBy })
    await to.conversation(id, messages.filter(isSaid).map(plain), { title, workspace })
    if (metadata?.workingMemory) await to.note(`thread-${id}`, metadata.workingMemory, { ...profile, workspace })
    resources.add(workspace)
  }
  for (const workspace of resources) {
    const resource = await memory.getResourceById({ resourceId: workspace })
    if (resource?.workingMemory)
      await to.note(`resource-${workspace}`, resource.workingMemory, { ...profile, workspace })
  }
}

const profile = { kind: 'profile', author: 'mastra' }

/** Signals are Mastra's own, and no message. */
const isSaid = ({ role }) => role === 'user' || role === 'assistant' || role === 'system'

const plain = ({ id, role, createdAt, content }) => ({ id, role, createdAt, parts: content.parts })

if (isStarted(import.meta.url)) {
  const [url, file] = process.argv.slice(2)
  const { LibSQLStore } = await import('@mastra/libsql')
  const storage = new LibSQLStore({ id: 'from', url })
  await storage.init()
  const to = await moveTo(file)
  await moveMastra(await storage.getStore('memory'), to)
  await to.end()
}
