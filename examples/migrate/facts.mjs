// node facts.mjs export.json chat.db: what mem0 or Zep knows, as notes; and messages of a Zep thread, as a conversation.
//   mem0   {"results": [{"id", "memory", "user_id"}]}, as `get_all` and exports give it, or the bare list
//   Zep    {"edges": [{"uuid", "fact", "invalid_at"}]} of a user's graph, and {"messages": [{"uuid", "role", "content"}]} of a thread
// Whose they are is `user_id`, or the third argument; the conversation of a Zep thread has the name `thread_id`, or `zep`.
import { readFileSync } from 'node:fs'
import { moveTo } from './move.mjs'

/** Zep's tool messages name no call: what a tool said is kept as words. */
const roles = { norole: 'user', function: 'assistant', tool: 'assistant' }

const [path, file, owner] = process.argv.slice(2)
const given = JSON.parse(readFileSync(path, 'utf8'))
const to = await moveTo(file)
const whose = ({ user_id }) => ({ workspace: user_id ?? owner ?? given.user_id })

for (const fact of Array.isArray(given) ? given : (given.results ?? []))
  await to.note(fact.id, fact.memory, { author: 'mem0', ...whose(fact) })
// what no longer holds is not known
for (const edge of given.edges ?? [])
  if (!edge.invalid_at && !edge.expired_at) await to.note(edge.uuid, edge.fact, { author: 'zep', ...whose(edge) })
if (given.messages) await to.conversation(given.thread_id ?? 'zep', given.messages.map(plain), whose(given))
await to.end()

function plain({ uuid, role, name, content, created_at }) {
  return { id: uuid, role: roles[role] ?? role, content, created_at, ...(name && { author: name }) }
}
