/** Checkpoints as records: a small one to find it by, one with its state, and one that says which is the newest. */
import type { Step } from '../../store/contract/commit.js'
import { type Desk, keyOf, shelf, swap } from '../desk.js'
import { kinds, owned, type Place } from './thread.js'
import type { Typed } from './typed.js'

export interface Filed extends Place {
  readonly id: string
  readonly parent: string | null
  readonly metadata: Typed
}

/** The checkpoint, its state and the head move together or not at all. */
export async function fileCheckpoint(desk: Desk, filed: Filed, state: Typed): Promise<void> {
  const { store, workspace, env } = desk
  const { thread, ns, id } = filed
  const key = keyOf(thread, ns, id)
  await swap(async () => {
    const at = env.now()
    const steps: Step[] = [
      { do: 'put-record', record: { kind: 'checkpoint', id: key, body: filed, at } },
      { do: 'put-record', record: { kind: 'checkpoint-state', id: key, body: state, at } },
    ]
    const head = await store.getRecord(workspace, 'checkpoint-head', keyOf(thread, ns))
    if (!head || newestOf(head.body) < id) {
      const record = { kind: 'checkpoint-head', id: keyOf(thread, ns), body: { thread, ns, newest: id }, at }
      steps.push({ do: 'put-record', record: { ...record, expect: head?.revision ?? null } })
    }
    await owned(desk, thread, () => store.commit(workspace, thread, steps))
  })
}

const newestOf = (body: unknown): string => (body as { readonly newest: string }).newest

export async function findCheckpoint(desk: Desk, { thread, ns }: Place, id?: string): Promise<Filed | undefined> {
  const { store, workspace } = desk
  const head = id === undefined ? await store.getRecord(workspace, 'checkpoint-head', keyOf(thread, ns)) : null
  const sought = id ?? (head && newestOf(head.body))
  if (!sought) return undefined
  const record = await store.getRecord(workspace, 'checkpoint', keyOf(thread, ns, sought))
  return record ? (record.body as Filed) : undefined
}

export async function stateOf({ store, workspace }: Desk, { thread, ns, id }: Filed): Promise<Typed | undefined> {
  return (await store.getRecord(workspace, 'checkpoint-state', keyOf(thread, ns, id)))?.body as Typed | undefined
}

/** The newest first, as their ids sort. */
export async function listCheckpoints(desk: Desk, thread: string | undefined): Promise<Filed[]> {
  const found: Filed[] = []
  for await (const { body } of shelf(desk, 'checkpoint', thread)) found.push(body as Filed)
  return found.sort((one, other) => (one.id < other.id ? 1 : one.id > other.id ? -1 : 0))
}

const most = 1_000

/** The conversation itself stays, and with it what was said there. */
export async function removeThread(desk: Desk, thread: string): Promise<void> {
  const steps: Step[] = []
  for (const kind of kinds)
    for await (const { id } of shelf(desk, kind, thread)) steps.push({ do: 'remove-record', kind, id })
  for (let from = 0; from < steps.length; from += most)
    await desk.store.commit(desk.workspace, thread, steps.slice(from, from + most))
}
