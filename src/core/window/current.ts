/** The message to answer: no part of the history, whole, and exactly once in the window. */

import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import { admit } from './admit.js'
import { type Kept, type Load, over, tooSmall, weightless } from './load.js'
import type { Prepared } from './plan.js'
import { type Budget, fixedTokens, roomOf } from './plan.js'
import { type Shape, shape } from './shape.js'
import { shortenText } from './shrink.js'
import { say } from './voice.js'
import type { Plan, Slot } from './walk.js'

type Current = { readonly ok: true; readonly kept: Kept | null } | { readonly ok: false; readonly issue: Issue }

export function currentOf(value: unknown, plan: Prepared): Current {
  if (value === undefined || value === null) return { ok: true, kept: null }
  const known = plan.table.current
  if (known && known.value === value) return { ok: true, kept: known.kept }
  const { intake, clip, fit } = plan.policy
  const message = typeof value === 'string' ? { role: 'user', content: value } : value
  const admitted = admit(message, { ...intake, invalid: 'drop', content: 'any', hard: null, role: 'exact' }, plan.now)
  if (!admitted.ok)
    return refused(say('plain', { ...admitted.note, index: 0 }).message.replace('messages[0]', 'current'))
  if (admitted.item.role !== 'user') return refused('current must be a user message')
  if (admitted.item.parts.length === 0) return refused('current is empty')
  const whole = clip.newestWhole || fit.grain === 'turn' || clip.user === null
  const made = shape(admitted.item, whole ? 'exempt' : 'full', plan.policy, plan.scale)
  const kept: Kept = { slot: slotOf(admitted.item, made), shape: made, merged: [] }
  plan.table.current = { value, kept }
  return { ok: true, kept }
}

const refused = (message: string): Current => ({
  ok: false,
  issue: { code: 'admit.current', field: 'current', message },
})

function slotOf(item: Item, made: Shape): Slot {
  const admitted = { ok: true as const, item, results: [], notes: [], lost: [] }
  return { index: -1, item, answers: [], record: { admitted, alone: made.before, takes: [], joined: null, shapes: [] } }
}

/** An item that no one said, in the form of a message. */
export function standInKept(item: Item, plan: Plan): Kept {
  const made = shape(item, 'exempt', plan.policy, plan.scale)
  return { slot: slotOf(item, made), shape: made, merged: [] }
}

export interface AskedCurrent {
  readonly shape: Shape
  /** Tokens that a message too long leaves to the history: what must be kept, so that a bigger budget never keeps less. */
  readonly left: number | null
}

/** It must fit by itself, or is shortened where the policy says so. */
export function fitCurrent(
  asked: Kept,
  plan: Prepared,
  budget: Budget,
  must: () => number,
): ({ readonly ok: true } & AskedCurrent) | { readonly ok: false; readonly issue: Issue } {
  const room = roomBeside(plan, budget)
  const load = { ...weightless, tokens: asked.shape.after.tokens }
  if (plan.policy.fit.oversize === 'keep' || over(load, room) === null)
    return { ok: true, shape: asked.shape, left: null }
  const short = shortCurrent(asked, plan, budget, must)
  if (short) return { ok: true, ...short }
  return {
    ok: false,
    issue: tooSmall(
      { ...load, tokens: load.tokens + fixedTokens(plan) },
      { ...room, tokens: budget.tokens ?? room.tokens },
    ),
  }
}

/** Cut to what it leaves to the tokens that must be kept, or else to all there is; null where it may not be cut. */
export function shortCurrent(asked: Kept, plan: Prepared, budget: Budget, must: () => number): AskedCurrent | null {
  if (plan.policy.fit.oversize !== 'clip') return null
  const room = roomBeside(plan, budget)
  const left = must()
  const beside = shortenText(asked, { plan, room: { ...room, tokens: room.tokens - left }, spent: weightless })
  if (beside) return { shape: beside.shape, left }
  const alone = shortenText(asked, { plan, room, spent: weightless })
  return alone && { shape: alone.shape, left: null }
}

const roomBeside = (plan: Prepared, budget: Budget): Load => ({
  ...roomOf(plan, budget, { tokens: 0, text: '' }),
  bytes: Number.POSITIVE_INFINITY,
})
