/** The same question with another window, answered on a branch of its own. */
import type { KeptReceipt, WhatIf } from '../../src/client/index.js'
import { api } from '../api.js'
import { placeNow, rewrite } from '../place.js'
import type { Receipt } from '../receipt/saw.js'

interface Asked {
  readonly conversation: string
  readonly answer: string
  readonly kept: KeptReceipt
}

/** With the model, the policy and the budget it was asked with, but for what is wished. */
export async function askAgain({ conversation, answer, kept }: Asked, wish: WhatIf): Promise<void> {
  const [{ name }, run] = await Promise.all([
    api.messages.regenerate(conversation, answer),
    api.runs.get(conversation, answer),
  ])
  const { risks: _, budget = budgetOf(kept.receipt), ...settings } = wish
  await api.runs.start(conversation, {
    model: run.model,
    policy: run.policy,
    ...settings,
    ...(typeof budget === 'number' && { budget }),
    branch: name,
  })
  // whoever is guided sees the end of it
  const guide = placeNow().guide === null ? null : 'done'
  rewrite({ conversation, branch: name, message: null, answer: null, at: null, tab: null, guide })
}

/** A window that keeps no room for the answer was asked for with a budget of its own. */
const budgetOf = ({ budget: { reserve }, request }: Receipt): number | undefined =>
  reserve.response > 0 ? undefined : (request.budget ?? undefined)
