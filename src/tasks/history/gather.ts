/** The messages of a task: as they were given, or as a branch of a conversation holds them. */
import { presets } from '../../core/policy/presets/index.js'
import { messageOf } from '../../engine/window/entries.js'
import { withFiles } from '../../engine/window/files.js'
import type { Entry } from '../../store/contract/entry.js'
import type { ConversationRef, HandoffPreset } from '../record/contract.js'
import type { Board } from '../record/desk.js'
import type { Thread } from '../record/input.js'
import { invalid } from '../record/refuse.js'
import { attachmentsOf } from './images.js'

export interface Gathered {
  /** A list, or whatever was given in its place: the preset judges it. */
  readonly messages: unknown
  /** Entries of the conversation before the first message, which were not read. */
  readonly older: number
  readonly source: ConversationRef | null
}

export async function gather(
  desk: Board,
  history: unknown,
  preset: HandoffPreset,
  thread: Thread | null,
): Promise<Gathered> {
  const branch = thread && 'branch' in thread ? thread.branch : null
  if (isReference(history)) return ofConversation(desk, { ...history, ...(branch && { branch }) }, preset)
  if (branch === null || !Array.isArray(history)) return { messages: history, older: 0, source: null }
  return { messages: history.filter((message) => isOn(message, branch)), older: 0, source: null }
}

interface Reference {
  readonly conversation: string
  readonly branch?: string
}

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Reference).conversation === 'string' &&
  ['string', 'undefined'].includes(typeof (value as Reference).branch)

/** A message that names no branch is on all of them. */
function isOn(message: unknown, branch: string): boolean {
  const { branch: named } = (message ?? {}) as { readonly branch?: unknown }
  return named === undefined || named === branch
}

export async function ofConversation(
  { store, workspace, limits }: Board,
  { conversation, branch = 'main' }: Reference,
  preset: HandoffPreset,
): Promise<Gathered> {
  if (!(await store.get(workspace, conversation))) throw unknown('conversation', conversation)
  const found = (await store.branches(workspace, conversation)).find(({ name }) => name === branch)
  // a conversation in which nothing was said has no branch yet
  if (!found && branch !== 'main') throw unknown('branch', branch)
  const head = found?.head ?? null
  const path = head === null ? [] : await store.path(workspace, conversation, head, limits.historyEntries)
  const entries = await withFiles(path, { store, workspace })
  return {
    messages: entries.flatMap((entry) => spoken(entry, preset)),
    older: path[0]?.depth ?? 0,
    source: { conversation, branch, head },
  }
}

/** Only what someone of the preset's roles said: results of tools are no one's words. */
function spoken(entry: Entry, preset: HandoffPreset): object[] {
  const policy = presets[preset]
  const roles: readonly string[] = policy.intake.roles
  const { body } = entry
  if (body.kind !== 'message' || !roles.includes(body.role)) return []
  const message = messageOf(entry, policy)
  if (message === undefined) return []
  const { role } = message as { readonly role: string }
  const attachments = 'parts' in message ? undefined : attachmentsOf({ parts: body.parts })
  return [{ ...message, ...(!roles.includes(role) && { role: body.role }), ...(attachments && { attachments }) }]
}

const unknown = (field: 'conversation' | 'branch', value: string): Error => {
  const at = `conversation_history.${field}`
  return invalid([{ code: 'not_found', field: at, value, message: `${at}: there is no such ${field}` }])
}
