/**
 * Checkpoints as records: a small one to find it by, one with its state, and one that says which is the newest. The values of
 * channels are records of their own, named by what they hold: a checkpoint keeps only those that changed.
 */
import { createHash } from 'node:crypto'
import type { Step } from '../../store/contract/commit.js'
import { type Base, keyOf, shelf, swap } from '../desk.js'
import { owned, type Place, threadKinds } from './thread.js'
import type { Typed } from './typed.js'

export interface Filed extends Place {
  readonly id: string
  readonly parent: string | null
  readonly metadata: Typed
}

/** The names of records, by channel. */
type Channels = Readonly<Record<string, string>>

interface State {
  /** Without the values of its channels. */
  readonly checkpoint: Typed
  readonly channels: Channels
}

export interface ChannelValue {
  readonly channel: string
  readonly value: Typed
  readonly isNew: boolean
}

/** What did not change is there already, and what was never kept is no part of it. */
async function keptOf({ store, workspace }: Base, { thread, ns }: Place, values: readonly ChannelValue[]) {
  const named = values.map((one) => ({ ...one, hash: hashOf(one.value) }))
  const isKept = await Promise.all(
    named.map(async ({ isNew, hash }) => {
      return isNew || (await store.getRecord(workspace, 'checkpoint-channel', keyOf(thread, ns, hash))) !== null
    }),
  )
  return named.filter((_, i) => isKept[i])
}

/** The checkpoint, its state and the head move together or not at all. */
export async function fileCheckpoint(
  desk: Base,
  filed: Filed,
  checkpoint: Typed,
  values: readonly ChannelValue[],
): Promise<void> {
  const { store, workspace, env } = desk
  const { thread, ns, id } = filed
  const key = keyOf(thread, ns, id)
  const named = await keptOf(desk, filed, values)
  const state: State = { checkpoint, channels: Object.fromEntries(named.map(({ channel, hash }) => [channel, hash])) }
  await swap(async () => {
    const at = env.now()
    const steps: Step[] = [
      { do: 'put-record', record: { kind: 'checkpoint', id: key, body: filed, at } },
      { do: 'put-record', record: { kind: 'checkpoint-state', id: key, body: state, at } },
      ...named.flatMap(({ hash, value, isNew }): Step[] => {
        if (!isNew) return []
        return [
          { do: 'put-record', record: { kind: 'checkpoint-channel', id: keyOf(thread, ns, hash), body: value, at } },
        ]
      }),
    ]
    const head = await store.getRecord(workspace, 'checkpoint-head', keyOf(thread, ns))
    if (!head || newestOf(head.body) < id) {
      const record = { kind: 'checkpoint-head', id: keyOf(thread, ns), body: { thread, ns, newest: id }, at }
      steps.push({ do: 'put-record', record: { ...record, expect: head?.revision ?? null } })
    }
    await owned(desk, thread, () => store.commit(workspace, thread, steps))
  })
}

const hashOf = (value: Typed): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

const newestOf = (body: unknown): string => (body as { readonly newest: string }).newest

export async function findCheckpoint(desk: Base, { thread, ns }: Place, id?: string): Promise<Filed | undefined> {
  const { store, workspace } = desk
  const head = id === undefined ? await store.getRecord(workspace, 'checkpoint-head', keyOf(thread, ns)) : null
  const sought = id ?? (head && newestOf(head.body))
  if (!sought) return undefined
  const record = await store.getRecord(workspace, 'checkpoint', keyOf(thread, ns, sought))
  return record ? (record.body as Filed) : undefined
}

export async function stateOf({ store, workspace }: Base, { thread, ns, id }: Filed): Promise<State | undefined> {
  return (await store.getRecord(workspace, 'checkpoint-state', keyOf(thread, ns, id)))?.body as State | undefined
}

export async function channelValues({ store, workspace }: Base, { thread, ns }: Place, channels: Channels) {
  const found = await Promise.all(
    Object.entries(channels).map(async ([channel, hash]): Promise<(readonly [string, Typed])[]> => {
      const record = await store.getRecord(workspace, 'checkpoint-channel', keyOf(thread, ns, hash))
      return record ? [[channel, record.body as Typed]] : []
    }),
  )
  return found.flat()
}

/** The newest first, as their ids sort. */
export async function listCheckpoints(desk: Base, thread: string | undefined): Promise<Filed[]> {
  const found: Filed[] = []
  for await (const { body } of shelf(desk, 'checkpoint', thread)) found.push(body as Filed)
  return found.sort((one, other) => (one.id < other.id ? 1 : one.id > other.id ? -1 : 0))
}

const most = 1_000

/** The conversation itself stays, and with it what was said there. */
export async function removeThread(desk: Base, thread: string): Promise<void> {
  const steps: Step[] = []
  for (const kind of threadKinds)
    for await (const { id } of shelf(desk, kind, thread)) steps.push({ do: 'remove-record', kind, id })
  for (let from = 0; from < steps.length; from += most)
    await desk.store.commit(desk.workspace, thread, steps.slice(from, from + most))
}
