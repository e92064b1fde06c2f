/** Writes of the tasks of a step, kept until the next checkpoint: all of a checkpoint's in one record. */
import { type PendingWrite, type SerializerProtocol, WRITES_IDX_MAP } from '@langchain/langgraph-checkpoint'
import { type Base, keyOf, swap } from '../desk.js'
import { owned, type Place } from './thread.js'
import { dump, type Typed } from './typed.js'

export interface Write {
  readonly task: string
  /** Its place in the task's list; below zero for errors, interrupts and the like. */
  readonly at: number
  readonly channel: string
  readonly value: Typed
}

const kind = 'checkpoint-writes'

export async function readWrites({ store, workspace }: Base, { thread, ns }: Place, id: string): Promise<Write[]> {
  const record = await store.getRecord(workspace, kind, keyOf(thread, ns, id))
  return record ? (record.body as { readonly writes: Write[] }).writes : []
}

/** A write that is there already stays as it is; an error or an interrupt gives way to the newer one. */
export async function addWrites(desk: Base, { thread, ns }: Place, id: string, added: readonly Write[]): Promise<void> {
  const { store, workspace, env } = desk
  const key = keyOf(thread, ns, id)
  await swap(async () => {
    const known = await store.getRecord(workspace, kind, key)
    const writes = merged(known ? (known.body as { readonly writes: Write[] }).writes : [], added)
    const put = { kind, id: key, body: { thread, ns, id, writes }, at: env.now(), conversation: thread }
    await owned(desk, thread, () => store.putRecord(workspace, { ...put, expect: known?.revision ?? null }))
  })
}

function merged(known: readonly Write[], added: readonly Write[]): Write[] {
  const all = [...known]
  for (const write of added) {
    const place = all.findIndex(({ task, at }) => task === write.task && at === write.at)
    if (place < 0) all.push(write)
    else if (write.at < 0) all[place] = write
  }
  return all
}

export const writesOf = (serde: SerializerProtocol, task: string, writes: readonly PendingWrite[]): Promise<Write[]> =>
  Promise.all(
    writes.map(async ([channel, value], i) => ({
      task,
      at: WRITES_IDX_MAP[channel] ?? i,
      channel,
      value: await dump(serde, value),
    })),
  )
