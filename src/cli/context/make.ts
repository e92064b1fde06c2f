/** The window that the next turn would send, made as a run makes it; no model is asked and nothing is written. */
import { policiesOf } from '../../config/geometry.js'
import type { Policy } from '../../core/policy/schema.js'
import { resolvePolicy } from '../../core/window/plan.js'
import { messageOf } from '../../engine/messages.js'
import { type RecallFrom, recallFromOf, remembering } from '../../engine/remembering.js'
import { type Windowed, windowOf } from '../../engine/window.js'
import { usualRecaller } from '../../recall/usual.js'
import { rowOf } from '../../runs/ask.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/entry.js'
import { exitOf, Failure, sentence } from '../failure.js'
import type { Desk } from '../history/desk.js'
import { findBranch } from '../history/find.js'
import { modelNamed, modelsOf } from '../models.js'

export interface Wish {
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
  readonly window: Windowed & { readonly ok: true }
}

export async function make(desk: Desk, conversation: Conversation, wish: Wish): Promise<Made> {
  const { store, workspace, settled } = desk
  const { id, meta } = conversation
  const { name: branch, head } = await findBranch(desk, id, wish.branch)
  const asked = wish.model ?? textOf(meta.model)
  const model = await modelNamed(await modelsOf(desk), asked)
  const policy = wish.policy ?? textOf(meta.policy) ?? policiesOf(settled.config).usual
  const system = wish.system ?? textOf(meta.system)
  const path = head === null ? [] : await store.path(workspace, id, head)
  const question = wish.current === undefined ? questionIn(path) : null
  const current = question ? spoken(question) : wish.current
  const overrides = remembering(recallFromOf(wish.recall, meta.recall), policy)
  const window = await windowOf({ store, workspace, conversation: id }, branch, {
    policy,
    recaller: usualRecaller,
    ...(overrides && { overrides }),
    risks: true,
    ...(model ? { model: model.id, models: [rowOf(model)], target: model.target } : asked && { model: asked }),
    ...(system === undefined ? null : { system }),
    ...(current === undefined ? null : { current }),
    ...(wish.budget === undefined ? null : { budget: wish.budget }),
  })
  if (!window.ok) throw new Failure(exitOf(window.error), `throughline: ${sentence(window.error)}`)
  return { conversation, branch, entries: placesOf(question ? path.slice(0, -1) : path, policy), window }
}

/** A message that waits for its answer stands apart from the history. */
function questionIn(path: readonly Entry[]): Entry | null {
  const last = path.at(-1)
  return last?.body.kind === 'message' && last.body.role === 'user' ? last : null
}

const spoken = ({ id, body, at, author }: Entry): object => ({
  id,
  role: 'user',
  parts: body.kind === 'message' ? body.parts : [],
  timestamp: at,
  ...(author === undefined ? null : { name: author }),
})

/** A strict policy gets no place for an entry that is no message to it. */
function placesOf(path: readonly Entry[], asked: string | Policy): readonly Entry[] {
  const resolved = resolvePolicy(asked, {})
  if (!resolved.ok || resolved.policy.intake.invalid !== 'reject') return path
  return path.filter((entry) => messageOf(entry, resolved.policy) !== undefined)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
