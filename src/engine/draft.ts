/** A message while it is streamed: one mutable row, promoted to exactly one message. */
import { HistoryError } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import { plainText } from '../core/window/mend/plain.js'
import type { Appended } from '../store/contract/append.js'
import type { Draft } from '../store/contract/draft.js'
import type { MessageStatus, NewEntry } from '../store/contract/entry.js'
import { openCalls } from './open-calls.js'
import { partsSaid, type Said } from './said.js'
import { interruptedResult, messageEntries, resultEntry, type Writing } from './window/entries.js'
import type { Source } from './window/window.js'

/** An answer while it is being written: saved as it grows, and never half a message in the log. */
export interface DraftHandle {
  readonly id: string
  /** Saves what there is so far and renews the lease: a text, parts, or a message, in any dialect. */
  save(said: Said): Promise<void>
  /** Ends the message. The same words again give the same answer. */
  finish(said: Said, more?: { readonly model?: string }): Promise<Appended>
  /** Stopped by someone: what there is becomes an aborted message. */
  abort(): Promise<Appended>
}

type Place = { readonly source: Source; readonly writing: Writing; readonly head: string | null }

export async function openDraft(
  { source, writing, head }: Place,
  branch: string,
  leaseSeconds: number,
): Promise<DraftHandle> {
  const { store, workspace, conversation } = source
  const { env } = writing
  const draft = await store.openDraft(workspace, conversation, {
    id: env.id(),
    branch,
    parent: head,
    leaseSeconds,
    at: env.now(),
  })
  let latest: readonly Part[] = []
  let at: string | undefined
  const end = (parts: readonly Part[], status: MessageStatus, model?: string): Promise<Appended> => {
    // a retry must say the same to be known as one
    at ??= env.now()
    return promote(source, draft, messageEntries(draft.id, { parts, status, at, model }, writing), writing)
  }
  return {
    id: draft.id,
    async save(said) {
      const parts = partsSaid(said)
      latest = parts
      await store.saveDraft(workspace, conversation, {
        id: draft.id,
        epoch: draft.epoch,
        text: plainText({ role: 'assistant', parts }, 'drop'),
        body: parts,
        leaseSeconds,
      })
    },
    finish: async (said, more = {}) => end(partsSaid(said), 'complete', more.model),
    abort: () => end(latest, 'aborted'),
  }
}

export interface Recovered {
  readonly conversation: string
  readonly draft: string
  readonly entry: string
}

/** Leases run on the store's clock; a draft whose owner is alive is left alone. */
export async function recoverDrafts({ store, workspace }: Source, writing: Writing): Promise<Recovered[]> {
  const recovered: Recovered[] = []
  for (const draft of await store.claimDrafts(workspace, 30)) {
    const { id, conversation } = draft
    const message = { parts: draftParts(draft), status: 'aborted', at: writing.env.now() } as const
    try {
      const source = { store, workspace, conversation }
      await promote(source, draft, messageEntries(id, message, writing), writing)
      recovered.push({ conversation, draft: id, entry: id })
    } catch (error) {
      // someone was faster, or the conversation is gone: either way nothing is left to recover
      if (!HistoryError.is(error) || !['fenced', 'not_found', 'gone', 'id_conflict'].includes(error.code)) throw error
    }
  }
  return recovered
}

/** What a draft holds, when it holds parts. */
export const draftParts = (draft: Draft): readonly Part[] =>
  Array.isArray(draft.body) ? (draft.body as readonly Part[]) : []

/** Calls that are still open where the message will stand are closed before it. */
async function promote(
  source: Source,
  draft: Draft,
  message: readonly NewEntry[],
  writing: Writing,
): Promise<Appended> {
  const { store, workspace, conversation } = source
  const { id, epoch } = draft
  const at = writing.env.now()
  const attempt = (entries: readonly NewEntry[]) =>
    store.promoteDraft(workspace, conversation, { id, epoch, entries, at })
  const known = await store.entry(workspace, conversation, id)
  const closing = known ? [] : await closingOf(source, draft, writing)
  if (closing.length === 0) return attempt(message)
  try {
    const done = await attempt([...closing, ...message])
    return done
  } catch (error) {
    // an answer arrived meanwhile, or the branch went elsewhere: the window closes what is open then
    const outdated = HistoryError.is(error) && ['already_answered', 'unknown_call', 'id_conflict'].includes(error.code)
    if (!outdated) throw error
    return attempt(message)
  }
}

async function closingOf(source: Source, { branch }: Draft, writing: Writing): Promise<NewEntry[]> {
  const { store, workspace, conversation } = source
  const head = (await store.branches(workspace, conversation)).find(({ name }) => name === branch)?.head
  const last = head ? await store.entry(workspace, conversation, head) : null
  if (!last) return []
  const at = writing.env.now()
  return (await openCalls(source, last)).map((call) => resultEntry(interruptedResult(call), at, writing))
}
