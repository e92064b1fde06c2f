/** The window that the next turn would send, made as a run makes it; no model is asked and nothing is written. */
import { HistoryError } from '../../core/message/issue.js'
import type { Assembled } from '../../core/window/assemble.js'
import { resolvePolicy } from '../../core/window/plan.js'
import { messageOf } from '../../engine/window/entries.js'
import type { RecallFrom } from '../../engine/window/partial.js'
import { makeWindow } from '../../operations/windows.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/contract/entry.js'
import { findBranch } from '../history/find.js'
import type { Cli } from '../kit/desk.js'
import { exitOf, Failure, sentence } from '../kit/failure.js'
import { contextAt } from '../kit/operate.js'

interface Wish {
  readonly branch?: string | undefined
  readonly model?: string | undefined
  readonly policy?: string | undefined
  readonly recall?: RecallFrom | undefined
  readonly budget?: number | undefined
  readonly system?: string | undefined
  /** What you would say next. */
  readonly current?: string | undefined
}

export interface Made {
  readonly conversation: Conversation
  readonly branch: string
  /** The entries behind the messages of the window, in the order of its receipt. */
  readonly entries: readonly Entry[]
  readonly window: Assembled & { readonly ok: true }
  readonly head: string | null
}

export async function make(desk: Cli, conversation: Conversation, wish: Wish): Promise<Made> {
  const { store, workspace } = desk
  const { id } = conversation
  const { name: branch, head } = await findBranch(desk, id, wish.branch)
  const path = head === null ? [] : await store.path(workspace, id, head)
  const asked = { ...wish, conversation_id: id, branch, risks: true }
  const { made, current } = await makeWindow(contextAt(desk), asked).catch(asFailure)
  const said = current === null ? path : path.slice(0, -1)
  return { conversation, branch, head, entries: placesOf(said, made.receipt.policy.name), window: made }
}

function asFailure(error: unknown): never {
  if (!HistoryError.is(error) || !error.issues[0]) throw error
  throw new Failure(exitOf(error.issues[0]), `throughline: ${sentence(error.issues[0])}`)
}

/** A strict policy gets no place for an entry that is no message to it. */
function placesOf(path: readonly Entry[], asked: string): readonly Entry[] {
  const resolved = resolvePolicy(asked, {})
  if (!resolved.ok || resolved.policy.intake.invalid !== 'reject') return path
  return path.filter((entry) => messageOf(entry, resolved.policy) !== undefined)
}
