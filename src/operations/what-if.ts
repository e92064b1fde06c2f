/** The window of a receipt with some of its settings changed. */
import type { z } from 'zod'
import type { Target } from '../core/message/target.js'
import type { Overrides } from '../core/policy/schema.js'
import { explain } from '../core/receipt/explain.js'
import type { Receipt } from '../core/receipt/receipt.js'
import type { Marks } from '../core/window/memo.js'
import { ModelError } from '../models/wire/contract.js'
import type { KeptReceipt } from '../runs/ask.js'
import type { OperationContext } from './context.js'
import { unknownModel } from './refusals.js'
import { again } from './replay.js'
import { assembleWindow, windowRefused } from './windows.js'

const { policy, overrides, budget, model, risks, marks } = assembleWindow.input.shape

export const changeable = { policy, overrides, budget: budget.unwrap().nullable().optional(), model, risks, marks }

type Change = { readonly [K in keyof typeof changeable]?: z.output<(typeof changeable)[K]> }

export async function whatIf(
  context: OperationContext,
  { conversation, receipt }: { readonly conversation: string; readonly receipt: Receipt },
  kept: KeptReceipt,
  change: Change,
) {
  const { store, workspace } = context
  const path = kept.head === null ? [] : await store.path(workspace, conversation, kept.head)
  const made = await again(context, receipt, changed(kept, change), path, {
    ...(change.risks !== undefined && { risks: change.risks }),
    ...(change.model !== undefined && { target: await targetOf(context, change.model) }),
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
function changed(kept: KeptReceipt, { policy, overrides, budget, model, marks }: Change): KeptReceipt {
  return {
    ...kept,
    ...(policy !== undefined && { policy, overrides: null }),
    ...(overrides !== undefined && { overrides: overrides as Overrides }),
    ...(budget !== undefined && { budget }),
    ...(model !== undefined && { model }),
    ...(marks !== undefined && { heeded: heeding(kept, marks as Marks) }),
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

async function targetOf({ models }: OperationContext, model: string): Promise<Target> {
  try {
    return (await models.find(model)).target
  } catch (error) {
    if (!ModelError.is(error)) throw error
    throw unknownModel(error.message)
  }
}
