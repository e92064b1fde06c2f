/** UI messages on a store: what is saved comes back to the letter, and what was there before stays on a branch of its own. */

import { type History, openHistory } from '../../engine/history.js'
import type { Env, Writing } from '../../engine/window/entries.js'
import { envOf, writingOf } from '../../engine/writing.js'
import type { Entry, NewEntry } from '../../store/contract/entry.js'
import type { Store } from '../../store/contract/store.js'
import { canonical } from '../../store/shared/gate.js'
import { differ } from './differ.js'
import { entriesOfMessages, withResidue } from './entries.js'
import { messagesForUi, uiLines } from './lines.js'
import type { UiMessage, UiPart, UnnamedMessage } from './message.js'

/** Where chats are kept, and whose they are. */
export interface MessageStoreOptions {
  readonly store: Store
  readonly workspace?: string
  readonly env?: Partial<Env>
}

/** What saving a chat changed. */
export interface Saved {
  /** Entries that were written; none when all of it was there. */
  readonly added: number
  /** The branch that keeps what gave way, if anything did. */
  readonly kept: string | null
}

/** Chats of the AI SDK, kept message by message. */
export interface MessageStore {
  /** The messages of a chat, oldest first; none when there is no such chat. */
  load<M extends UiMessage = UiMessage>(chat: string): Promise<M[]>
  /** Makes the chat these messages: writes what is new, and branches where they differ from what was there. A message without an id gets one. */
  save<P extends UiPart>(chat: string, messages: readonly UnnamedMessage<P>[]): Promise<Saved>
  /** Adds the newest message to what is there. One that the chat has by its id is replaced, with what came after it. */
  append<P extends UiPart>(chat: string, message: UnnamedMessage<P>): Promise<Saved>
}

/**
 * Keeps the chats of the AI SDK's UI.
 *
 * @example
 * ```ts
 * const chats = messageStore({ store: await sqliteStore('chat.db') })
 * const messages = await chats.load('c1')
 * await chats.append('c1', message)
 * ```
 */
export function messageStore({ store, workspace = 'default', env: given }: MessageStoreOptions): MessageStore {
  const env = envOf(given)
  const writing = writingOf(env)
  return {
    async load<M extends UiMessage>(chat: string) {
      const found = await store.get(workspace, chat)
      if (!found) return []
      const history = await openHistory({ store, workspace, conversation: chat, env })
      return messagesForUi(await history.path()) as readonly UiMessage[] as M[]
    },
    save: (chat, messages) => become(chat, () => messages),
    append: (chat, message) =>
      become(chat, (stored) => {
        const at = stored.findIndex(({ id }) => id === message.id)
        return [...(at < 0 ? stored : stored.slice(0, at)), message]
      }),
  }

  async function become(
    chat: string,
    make: (stored: readonly UiMessage[]) => readonly UnnamedMessage[],
  ): Promise<Saved> {
    const history = await openHistory({ store, workspace, conversation: chat, env })
    const taken = async (id: string) => (await store.entry(workspace, chat, id)) !== null
    const stored = messagesForUi(await history.path('main'))
    return saveOn(history, named(make(stored), stored, env), writing, taken)
  }
}

/** A message without an id is the one that stands in its place already, or a new one. */
function named(messages: readonly UnnamedMessage[], stored: readonly UiMessage[], env: Env): UiMessage[] {
  return messages.map((message, i) => {
    if (message.id) return { ...message, id: message.id }
    const there = stored[i]
    return { ...message, id: there && isSameBut(there, message) ? there.id : env.id() }
  })
}

/** Equal but for their ids. */
const isSameBut = (one: UnnamedMessage, other: UnnamedMessage): boolean =>
  canonical({ ...one, id: '' }) === canonical(JSON.parse(JSON.stringify({ ...other, id: '' })))

/** Onto the branch `main`, which is what the chat shows. */
export async function saveOn(
  history: History,
  messages: readonly UiMessage[],
  writing: Writing,
  taken: (id: string) => Promise<boolean>,
): Promise<Saved> {
  const path = await history.path('main')
  const { at, added } = differ(path, entriesOfMessages(messages, writing))
  return putMessage(history, { path, at, entries: added }, writing, taken)
}

interface Put {
  /** Of `main`, as it is. */
  readonly path: readonly Entry[]
  /** What the entries follow; what comes after it on the path gives way. */
  readonly at: string | null
  readonly entries: readonly NewEntry[]
}

export async function putMessage(
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
  const heads = new Map(uiLines(entries).flatMap((line) => (line.kind === 'step' ? [[line.entry, line.head]] : [])))
  const out: NewEntry[] = []
  for (const entry of entries) {
    const head = heads.get(entry)
    if (!(await taken(entry.id))) out.push(entry)
    else out.push({ ...(head ? withResidue(entry, { message: head }) : entry), id: env.id() })
  }
  return out
}
