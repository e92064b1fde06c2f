/** The window that a request would lead to, without asking anyone: made as a run makes it, over a copy of what came before. */
import { choiceOf } from '../../../core/policy/presets/index.js'
import type { CompactRequest } from '../../../engine/compact/compact.js'
import { type History, openHistory } from '../../../engine/history.js'
import type { Model } from '../../../models/wire/contract.js'
import { entryMessage, isQuestion, rowOf, type WindowQuestion, ask as windowOf } from '../../../runs/ask.js'
import { memoryStore } from '../../../store/memory/store.js'
import { scratch } from '../../dialect/desk.js'
import { type Ask, layOutAfter } from '../../dialect/start.js'
import type { Context } from '../../kit/context.js'
import { Problem } from '../../kit/problem.js'

export interface Before {
  readonly conversation: string
  readonly head: string | null
}

type At = Pick<Context, 'frame' | 'workspace'>

/** `first` may change the copy. */
export async function windowFor(
  at: At,
  before: Before | null,
  ask: Ask,
  model: Model,
  first: (history: History, same: CompactRequest) => Promise<unknown> = async () => {},
) {
  const question = await laidOut(at, before, ask, model)
  const { policy, request } = question
  const { budget, overrides } = request
  await first(question.history, {
    policy,
    model: model.id,
    models: [rowOf(model)],
    ...(budget === undefined ? null : { budget }),
    ...(overrides && { overrides }),
  })
  const made = await windowOf(question, null)
  if (made.ok) return made
  if (made.error.code.startsWith('policy.')) throw new Problem('policy_invalid', { detail: made.error.message })
  throw overflow(made.error.message, made.error.code)
}

async function laidOut(at: At, before: Before | null, ask: Ask, model: Model): Promise<WindowQuestion> {
  const { frame, workspace } = at
  const store = memoryStore()
  const after = before ? { conversation: before.conversation, entry: before.head } : undefined
  const settings = await layOutAfter(at, store, after)
  const policy = choiceOf(settings.policy ?? frame.policy)
  const { env, recaller } = frame
  const history = await openHistory({ store, workspace, conversation: scratch, policy, model: model.id, env, recaller })
  const said = ask.messages.length > 0 ? (await history.append(ask.messages)).entries : []
  const last = said.at(-1)
  return {
    history,
    run: { branch: 'main' },
    request: ask,
    model,
    policy,
    system: ask.system ?? settings.system,
    summarises: true,
    current: last && isQuestion(last) ? entryMessage(last) : null,
  }
}

export const overflow = (detail: string, reason = 'fit.budget'): Problem =>
  new Problem('refused', { detail, more: { reason } })
