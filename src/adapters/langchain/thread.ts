/** A LangGraph thread: a conversation of the same id, which owns its checkpoints. */
import type { RunnableConfig } from '@langchain/core/runnables'
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../../store/shared/refuse.js'
import type { Base } from '../desk.js'

/** Where in a thread: the namespace is empty for the graph itself, and names a graph inside it. */
export interface Place {
  readonly thread: string
  readonly ns: string
}

/** The kinds of records of a thread; the head is removed first, so that a thread goes at once. */
export const threadKinds = [
  'checkpoint-head',
  'checkpoint',
  'checkpoint-state',
  'checkpoint-channel',
  'checkpoint-writes',
] as const

export function threadPlaceOf(config: RunnableConfig, act: string): Place {
  const { thread_id: thread, checkpoint_ns: ns = '' } = config.configurable ?? {}
  if (typeof thread === 'string' && typeof ns === 'string') return { thread, ns }
  throw refusal('invalid', `cannot ${act} without a "thread_id" in "configurable"`, { field: 'configurable.thread_id' })
}

export const configOf = ({ thread, ns }: Place, id: string): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
})

/** The conversation is made when there is none yet. */
export async function owned<T>({ store, workspace, env }: Base, thread: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'not_found') throw error
  }
  try {
    await store.create(workspace, { id: thread, title: thread, at: env.now() })
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'id_conflict') throw error
  }
  return write()
}
