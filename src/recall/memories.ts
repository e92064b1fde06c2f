/** What is known beyond one conversation: notes that a person can see, correct and delete. Each says where it comes from. */
import type { Page } from '../store/contract/page.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Store } from '../store/contract/store.js'
import { all, paged } from '../store/shared/page.js'
import { refusal } from '../store/shared/refuse.js'

/**
 * The rungs above a conversation. `profile`: who someone is and what they want always; `semantic`: something that is so;
 * `episodic`: what happened in a conversation; `derived`: what follows from it. The last two name the message they rest on.
 */
export type MemoryKind = 'profile' | 'semantic' | 'episodic' | 'derived'

export interface MemorySource {
  readonly conversation: string
  readonly entry: string
}

/** Something to know, with the message that it was taken from. */
export interface Memory {
  readonly id: string
  readonly kind: MemoryKind
  readonly text: string
  /** The message it was taken from; a memory goes when that message loses its words, and with its conversation. */
  readonly source: MemorySource | null
  /** Who wrote it: a person, or a model's id. */
  readonly author: string
  readonly createdAt: string
  readonly updatedAt: string
  /** From 1, one more with each correction. */
  readonly revision: number
}

/** Something to know from now on. */
export interface NewMemory {
  readonly kind: MemoryKind
  readonly text: string
  readonly source?: MemorySource | null
  readonly author?: string
  /** Left out, it gets one. */
  readonly id?: string
}

/** What is known beyond one conversation: kept, corrected and forgotten by its owner. */
export interface Memories {
  list(query?: MemoryQuery): Promise<Page<Memory>>
  get(id: string): Promise<Memory | null>
  add(memory: NewMemory): Promise<Memory>
  /** `expect` is the revision you saw: if someone else was faster, nothing changes. */
  correct(id: string, change: MemoryChange): Promise<Memory>
  remove(id: string): Promise<void>
  /** All of them, oldest first: the hook for whatever keeps them elsewhere. */
  all(): AsyncGenerator<Memory>
}

interface MemoryQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly kind?: MemoryKind | undefined
}

interface MemoryChange {
  readonly text?: string | undefined
  readonly kind?: MemoryKind | undefined
  readonly expect?: number | undefined
}

/** On which store, and whose. */
export interface MemoriesOptions {
  readonly store: Store
  readonly workspace?: string
  readonly env?: { readonly id?: () => string; readonly now?: () => string }
}

export const memoryRecord = 'memory'
export const memoryChars = 2_000

/** Memories of one workspace. @example await openMemories({ store }).add({ kind: 'profile', text: 'Ann is vegetarian.' }) */
export function openMemories({ store, workspace = 'default', env = {} }: MemoriesOptions): Memories {
  const newId = env.id ?? (() => crypto.randomUUID())
  const now = env.now ?? (() => new Date().toISOString())

  const put = async (id: string, body: Body, expect: number | null, conversation?: string): Promise<Memory> => {
    const owner = conversation === undefined ? null : { conversation }
    return memoryOf(await store.putRecord(workspace, { kind: memoryRecord, id, body, at: now(), expect, ...owner }))
  }

  const found = async (id: string): Promise<StoredRecord> => {
    const record = await store.getRecord(workspace, memoryRecord, id)
    if (!record) throw refusal('not_found', 'there is no such memory', { field: 'id', value: id })
    return record
  }

  const list: Memories['list'] = async ({ kind: wanted, limit = 100, cursor } = {}) => {
    const page = await store.records(workspace, { kind: memoryRecord, limit, ...(cursor ? { cursor } : null) })
    const items = page.items.map(memoryOf).filter((memory) => wanted === undefined || memory.kind === wanted)
    return { ...page, items }
  }

  return {
    list,
    async get(id) {
      const record = await store.getRecord(workspace, memoryRecord, id)
      return record && memoryOf(record)
    },
    async add({ kind: sort, text, source = null, author = 'person', id = newId() }) {
      const body: Body = { kind: sort, text: checked(text), source, author }
      sourced(sort, source)
      if (source && !(await store.entry(workspace, source.conversation, source.entry)))
        throw refusal('not_found', 'there is no such message', { field: 'source.entry', value: source.entry })
      return put(id, body, null, source?.conversation)
    },
    async correct(id, { text, kind: sort, expect }) {
      const record = await found(id)
      if (expect !== undefined && expect !== record.revision)
        throw refusal('record_moved', 'the memory has changed', { field: 'expect', value: record.revision })
      const body = record.body as Body
      if (sort !== undefined) sourced(sort, body.source)
      const next = {
        ...body,
        ...(text === undefined ? null : { text: checked(text) }),
        ...(sort === undefined ? null : { kind: sort }),
      }
      return put(id, next, record.revision)
    },
    async remove(id) {
      await found(id)
      await store.removeRecord(workspace, memoryRecord, id)
    },
    async *all() {
      yield* (await all(paged((from) => list({ limit: 100, ...from })))).reverse()
    },
  }
}

type Body = Pick<Memory, 'kind' | 'text' | 'source' | 'author'>

/** What happened, and what follows from it, can be looked up. */
function sourced(kind: MemoryKind, source: MemorySource | null): void {
  if ((kind !== 'episodic' && kind !== 'derived') || source) return
  const message = `a memory of the kind ${kind} names the message it rests on: give conversation_id and message_id`
  throw refusal('invalid', message, { field: 'source', value: kind })
}

function checked(text: string): string {
  const trimmed = text.trim()
  const length = [...trimmed].length
  if (length > 0 && length <= memoryChars) return trimmed
  throw refusal('invalid', `a memory has between 1 and ${memoryChars} characters`, { field: 'text', value: length })
}

export const memoryOf = ({ id, body, createdAt, updatedAt, revision }: StoredRecord): Memory => ({
  id,
  ...(body as Body),
  createdAt,
  updatedAt,
  revision,
})
