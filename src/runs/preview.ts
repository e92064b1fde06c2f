/** The window that a run would send, made by the run's own code: no model is asked and nothing is written. */
import type { Target } from '../core/message/target.js'
import type { Windowed } from '../engine/window/window.js'
import { type Model, ModelError } from '../models/wire/contract.js'
import type { Conversation } from '../store/contract/conversation.js'
import { ask, entryMessage, isQuestion } from './ask.js'
import { settingOf } from './begin.js'
import type { RunRequest } from './contract.js'
import type { Floor } from './floor.js'
import { sentWith } from './recorded.js'

export interface PreviewRequest
  extends Pick<
    RunRequest,
    | 'workspace'
    | 'conversation'
    | 'branch'
    | 'model'
    | 'policy'
    | 'usualPolicy'
    | 'overrides'
    | 'recall'
    | 'marks'
    | 'budget'
    | 'system'
    | 'tools'
    | 'trace'
  > {
  /** The conversation, where it was read a moment ago. */
  readonly found?: Conversation
  /** What would be said next; left out, the branch is answered as it stands. */
  readonly message?: unknown
  /** Another form of the same window. */
  readonly target?: Target | undefined
  readonly compat?: 'literal' | undefined
  /** Name what is only in what is left out. */
  readonly risks?: boolean | undefined
}

export interface Preview {
  readonly window: Windowed
  readonly branch: string
  /** The id of the message that stands apart from the history, if it is a stored one. */
  readonly current: string | null
}

export async function preview(floor: Floor, request: PreviewRequest): Promise<Preview> {
  const { branch = 'main', target, compat, risks } = request
  const sent = await sentWith(floor.store, request.workspace, request.conversation)
  const setting = await settingOf(floor, { ...request, usualSystem: sent.system }, knownOrNamed)
  const { history } = setting
  const [last] = request.message === undefined ? await history.path(branch, 1) : []
  const current = last && isQuestion(last) ? last : null
  const window = await ask(
    {
      ...setting,
      run: { branch },
      request: { ...sent, ...request, overrides: setting.overrides, budget: setting.budget },
      summarises: floor.options.compaction !== 'off',
      current: current ? entryMessage(current) : (request.message ?? null),
    },
    null,
    { target, compat, risks },
  )
  return { window, branch, current: current?.id ?? null }
}

/** A window can be made for a model that is known by its name alone. */
function knownOrNamed(error: unknown, id: string | undefined): Pick<Model, 'id'> {
  if (ModelError.is(error) && error.code === 'unknown_model' && id !== undefined) return { id }
  throw error
}
