/** Where a chat goes on: `main` is what its client shows, and what gives way there stays on a branch of its own. */
import { entriesOfMessages } from '../../adapters/ai-sdk/entries.js'
import { groupsOf, type UiGroup } from '../../adapters/ai-sdk/groups.js'
import type { UiMessage } from '../../adapters/ai-sdk/message.js'
import { moveMain, putMessage, saveOn } from '../../adapters/ai-sdk/message-store.js'
import type { History } from '../../engine/history.js'
import type { Writing } from '../../engine/window/entries.js'
import type { Entry } from '../../store/contract/entry.js'
import { canonical } from '../../store/shared/gate.js'
import { Problem } from '../kit/problem.js'
import type { ToldByClient } from './request.js'

export interface Chat {
  readonly history: History
  readonly writing: Writing
  readonly taken: (id: string) => Promise<boolean>
}

/** Entries that are looked through for a client that sends its last message alone. */
export const lately = 256

/** Who sends everything is compared with everything. */
const pathFor = ({ history }: Chat, { all }: ToldByClient): Promise<readonly Entry[]> =>
  history.path('main', all ? undefined : lately)

/** The client wants another answer to what it had asked. */
export async function placeAgain(chat: Chat, told: ToldByClient, messageId: string | null): Promise<void> {
  const path = await pathFor(chat, told)
  const groups = groupsOf(path)
  const named = groups.find(({ message }) => message.id === (messageId ?? told.messages.at(-1)?.id))
  const last = messageId === null && !named ? groups.findLast(({ message }) => message.role === 'assistant') : named
  if (!last) throw unknown('messageId')
  const to = last.message.role === 'assistant' ? before(path, last) : last.to
  if (to === null) throw unknown('messageId')
  await giveWay(chat, path, to)
}

/** What the client says now: a message, an edited one, the results of its tools, or a history that began elsewhere. */
export async function placeNew(chat: Chat, told: ToldByClient): Promise<void> {
  const { messages, all } = told
  const last = messages.at(-1)
  if (!last) throw new Problem('invalid_request', { errors: [{ path: 'messages', message: 'must not be empty' }] })
  const path = await pathFor(chat, told)
  const groups = groupsOf(path)
  const known = groups.find(({ message }) => message.id === last.id)
  if (known && last.role === 'assistant') return answer(chat, path, last)
  if (known && isSame(known.message, last)) return giveWay(chat, path, known.to)
  if (known) return put(chat, path, before(path, known), last)
  const previous = messages.at(-2)
  const after = previous && groups.find(({ message }) => message.id === previous.id)
  if (after) return put(chat, path, after.to, last)
  if (!all || (messages.length === 1 && path.length === 0)) return put(chat, path, path.at(-1)?.id ?? null, last)
  await saveOn(chat.history, messages, chat.writing, chat.taken)
}

const isSame = (one: UiMessage, other: UiMessage): boolean => canonical(one) === canonical(other)

const before = (path: readonly Entry[], { from }: UiGroup): string | null =>
  path.find(({ id }) => id === from)?.parent ?? null

async function put(chat: Chat, path: readonly Entry[], at: string | null, message: UiMessage): Promise<void> {
  const { history, writing, taken } = chat
  await putMessage(history, { path, at, entries: entriesOfMessages([message], writing) }, writing, taken)
}

/** Only results are taken of an answer that was given here: what it said is known. */
async function answer({ history, writing }: Chat, path: readonly Entry[], message: UiMessage): Promise<void> {
  const known = new Set(path.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : [])))
  const calls = new Set(
    path.flatMap(({ body }) =>
      body.kind === 'message' ? body.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [],
    ),
  )
  const results = entriesOfMessages([message], writing)
    .filter(({ body }) => body.kind === 'result' && calls.has(body.callId) && !known.has(body.callId))
    .map((entry) => ({ ...entry, id: writing.env.id() }))
  if (results.length > 0) await history.write(results, { branch: 'main', expect: path.at(-1)?.id ?? null })
}

async function giveWay({ history, writing }: Chat, path: readonly Entry[], to: string): Promise<void> {
  const head = path.at(-1)?.id ?? null
  if (to === head) return
  await history.fork(head, `was-${writing.env.id()}`)
  await moveMain(history, to, head, writing)
}

const unknown = (path: string): Problem =>
  new Problem('invalid', { errors: [{ path, message: 'names no message of this chat' }] })
