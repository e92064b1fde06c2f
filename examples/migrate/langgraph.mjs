// node langgraph.mjs checkpoints.db chat.db: threads of LangGraph with their messages, and the state from which graphs go on.
// For another checkpointer (PostgreSQL, Redis, memory) import `moveLangGraph` and give it yours.
import { checkpointer } from 'throughline/langchain'
import { isStarted, moveTo } from './move.mjs'

export async function moveLangGraph(saver, to) {
  const kept = checkpointer({ store: to.store })
  const seen = new Set()
  for await (const { config, checkpoint, metadata, pendingWrites = [] } of saver.list({})) {
    const { thread_id, checkpoint_ns = '' } = config.configurable
    const name = JSON.stringify([thread_id, checkpoint_ns])
    // the newest of a thread comes first, and is where it goes on
    if (seen.has(name)) continue
    seen.add(name)
    if (checkpoint_ns === '')
      await to.conversation(thread_id, (checkpoint.channel_values.messages ?? []).map(plain), { title: thread_id })
    const place = await kept.put({ configurable: { thread_id, checkpoint_ns } }, checkpoint, metadata)
    const tasks = new Map(pendingWrites.map(([task]) => [task, []]))
    for (const [task, channel, value] of pendingWrites) tasks.get(task).push([channel, value])
    for (const [task, writes] of tasks) await kept.putWrites(place, writes, task)
  }
}

/** A message of LangChain's as data: also for what `chatHistory.getMessages()` gives. */
export function plain(message) {
  const { type, data } = message.toDict()
  return { ...data, type }
}

if (isStarted(import.meta.url)) {
  const [from, file] = process.argv.slice(2)
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const to = await moveTo(file)
  await moveLangGraph(SqliteSaver.fromConnString(from), to)
  await to.end()
}
