/** The window of a receipt with some of its settings changed. */
import { z } from 'zod'
import type { Target } from '../../core/message/target.js'
import type { Overrides } from '../../core/policy/schema.js'
import { explain } from '../../core/receipt/explain.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { Marks } from '../../core/window/marks.js'
import { ModelError } from '../../models/contract.js'
import { assembleWindow, windowRefused } from '../../operations/windows.js'
import type { KeptReceipt } from '../../runs/ask.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { again } from './replay.js'

const { policy, overrides, budget, model, risks, marks } = assembleWindow.input.shape

export const whatIfBody = z.strictObject({
  policy,
  overrides,
  budget: budget.unwrap().nullable().optional(),
  model,
  risks,
  marks,
})

type Asked = z.output<typeof whatIfBody>

export async function whatIf(
  context: Context<unknown, unknown, Asked>,
  conversation: string,
  receipt: Receipt,
  kept: KeptReceipt,
) {
  const { frame, workspace, body } = context
  const path = kept.head === null ? [] : await frame.store.path(workspace, conversation, kept.head)
  const settings = changed(kept, body)
  const made = await again(context, receipt, settings, path, {
    ...(body.risks === undefined ? null : { risks: body.risks }),
    ...(body.model === undefined ? null : { target: await targetOf(context, body.model) }),
  })
  if (!made.ok) throw windowRefused(made.error, made.warnings)
  const { items, rendered, warnings } = made
  return {
    request: rendered,
    items,
    receipt: made.receipt,
    explanation: explain(made.receipt),
    warnings,
    head_id: kept.head,
  }
}

/** Changes of a policy belong to that policy: with another one they are gone. */
function changed(kept: KeptReceipt, { policy, overrides, budget, model, marks }: Asked): KeptReceipt {
  return {
    ...kept,
    ...(policy === undefined ? null : { policy, overrides: null }),
    ...(overrides === undefined ? null : { overrides: overrides as Overrides }),
    ...(budget === undefined ? null : { budget }),
    ...(model === undefined ? null : { model }),
    ...(marks === undefined ? null : { heeded: heeding(kept, marks as Marks) }),
  }
}

/** A summary that is excluded is not offered. */
function heeding({ heeded }: KeptReceipt, marks: Marks): NonNullable<KeptReceipt['heeded']> {
  const summary = heeded?.summary ?? null
  const isOut = summary !== null && marks.excluded?.includes(summary)
  return {
    recall: heeded?.recall ?? false,
    ...(heeded?.offered && { offered: heeded.offered }),
    marks,
    summary: isOut ? null : summary,
  }
}

async function targetOf({ frame }: Pick<Context, 'frame'>, model: string): Promise<Target> {
  try {
    return (await frame.models.find(model)).target
  } catch (error) {
    if (!ModelError.is(error)) throw error
    throw new Problem('unknown_model', { detail: error.message })
  }
}
