/** UI messages on a store: what is saved comes back to the letter, and what was there before stays on a branch of its own. */
import type { Env, Writing } from '../../engine/entries.js'
import { type History, openHistory } from '../../engine/history.js'
import { envOf, writingOf } from '../../engine/writing.js'
import type { Store } from '../../store/contract.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import { differ } from './differ.js'
import { entriesOfMessages, withResidue } from './entries.js'
import { linesOf, messagesOf } from './lines.js'
import type { UiMessage } from './message.js'

export interface MessageStoreOptions {
  readonly store: Store
  readonly workspace?: string
  readonly env?: Partial<Env>
}

export interface Saved {
  /** Entries that were written; none when all of it was there. */
  readonly added: number
  /** The branch that keeps what gave way, if anything did. */
  readonly kept: string | null
}

export interface MessageStore {
  /** The messages of a chat, oldest first; none when there is no such chat. */
  load<M extends UiMessage = UiMessage>(chat: string): Promise<M[]>
  /** Makes the chat these messages: writes what is new, and branches where they differ from what was there. */
  save(chat: string, messages: readonly UiMessage[]): Promise<Saved>
}

export function messageStore({ store, workspace = 'default', env: given }: MessageStoreOptions): MessageStore {
  const env = envOf(given)
  const writing = writingOf(env)
  return {
    async load<M extends UiMessage>(chat: string) {
      const found = await store.get(workspace, chat)
      if (!found) return []
      const history = await openHistory({ store, workspace, conversation: chat, env })
      return messagesOf(await history.path()) as readonly UiMessage[] as M[]
    },
    async save(chat, messages) {
      const history = await openHistory({ store, workspace, conversation: chat, env })
      const taken = async (id: string) => (await store.entry(workspace, chat, id)) !== null
      return saveOn(history, messages, writing, taken)
    },
  }
}

/** Onto the branch `main`, which is what the chat shows. */
export async function saveOn(
  history: History,
  messages: readonly UiMessage[],
  writing: Writing,
  taken: (id: string) => Promise<boolean>,
): Promise<Saved> {
  const path = await history.path('main')
  const { at, added } = differ(path, entriesOfMessages(messages, writing))
  return putOn(history, { path, at, entries: added }, writing, taken)
}

interface Put {
  /** Of `main`, as it is. */
  readonly path: readonly Entry[]
  /** What the entries follow; what comes after it on the path gives way. */
  readonly at: string | null
  readonly entries: readonly NewEntry[]
}

export async function putOn(
  history: History,
  { path, at, entries }: Put,
  writing: Writing,
  taken: (id: string) => Promise<boolean>,
): Promise<Saved> {
  const head = path.at(-1)?.id ?? null
  const kept = at === head ? null : `was-${writing.env.id()}`
  if (kept !== null) await history.fork(head, kept)
  if (entries.length > 0) {
    const from = at === head ? null : { from: at }
    await history.write(await renamed(entries, writing, taken), { branch: 'main', expect: head, ...from })
  } else if (kept !== null) await moveMain(history, at, head, writing)
  return { added: entries.length, kept }
}

export async function moveMain(history: History, to: string | null, from: string | null, { env }: Writing) {
  const move = { name: 'main', head: to, expect: from, at: env.now() }
  await history.commit([{ do: 'set-branch', move }])
}

/** An id that stands for something else already gives way; the message keeps it in the UI. */
async function renamed(
  entries: readonly NewEntry[],
  { env }: Writing,
  taken: (id: string) => Promise<boolean>,
): Promise<NewEntry[]> {
  const heads = new Map(linesOf(entries).flatMap((line) => (line.kind === 'step' ? [[line.entry, line.head]] : [])))
  const out: NewEntry[] = []
  for (const entry of entries) {
    const head = heads.get(entry)
    if (!(await taken(entry.id))) out.push(entry)
    else out.push({ ...(head ? withResidue(entry, { message: head }) : entry), id: env.id() })
  }
  return out
}
