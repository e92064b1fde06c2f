/** The window that a request would lead to, without asking anyone. */
import { assemble } from '../../../core/assemble.js'
import { resolvePolicy } from '../../../core/plan.js'
import type { Annotated } from '../../../engine/entries.js'
import { messageOf } from '../../../engine/messages.js'
import type { Model } from '../../../models/contract.js'
import { rowOf } from '../../../runs/ask.js'
import type { Context } from '../../context.js'
import type { Ask } from '../../dialect/start.js'
import { Problem } from '../../problem.js'

export interface Before {
  readonly conversation: string
  readonly head: string | null
}

type At = Pick<Context, 'frame' | 'workspace'>

export async function windowFor({ frame, workspace }: At, before: Before | null, ask: Ask, model: Model) {
  const meta = before ? ((await frame.store.get(workspace, before.conversation))?.meta ?? {}) : {}
  const overrides = ask.overrides && { overrides: ask.overrides }
  const resolved = resolvePolicy(typeof meta.policy === 'string' ? meta.policy : frame.policy, { ...overrides })
  if (!resolved.ok) throw new Problem('policy_invalid', { detail: resolved.issue.message })
  const { policy } = resolved
  const path = before?.head ? await frame.store.path(workspace, before.conversation, before.head) : []
  const messages = [...path.flatMap((entry) => messageOf(entry, policy) ?? []), ...ask.messages.flatMap(saidIn)]
  const system = ask.system ?? (typeof meta.system === 'string' ? meta.system : undefined)
  const made = assemble(
    { messages, ...(system === undefined ? null : { system }), ...(ask.tools && { tools: ask.tools }) },
    policy,
    {
      model: model.id,
      models: [rowOf(model)],
      target: model.target,
      ...(ask.budget === undefined ? null : { budget: ask.budget }),
    },
  )
  if (made.ok) return made
  throw overflow(made.error.message, made.error.code)
}

export const overflow = (detail: string, reason = 'fit.budget'): Problem =>
  new Problem('refused', { detail, more: { reason } })

const saidIn = (message: unknown): unknown[] => {
  const one = message as Annotated
  return one.kind === 'said' ? [one.message] : []
}
