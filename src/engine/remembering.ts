/** How far a conversation looks beyond itself, as one word; a policy that recalls nothing gets the usual share for it. */

import { presets } from '../core/policy/presets/index.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import { resolvePolicy } from '../core/window/plan.js'

export type RecallFrom = Policy['recall']['from']

export const recallFroms: readonly [RecallFrom, ...RecallFrom[]] = ['conversation', 'memories', 'workspace']

/** The first that is one of the words: what is asked for, then what the conversation keeps. */
export const recallFromOf = (...given: readonly unknown[]): RecallFrom | undefined =>
  given.map((one) => recallFroms.find((from) => from === one)).find((from) => from !== undefined)

/** What is changed field by field goes before it. */
export function remembering(
  from: RecallFrom | undefined,
  policy: string | object | undefined,
  overrides?: Overrides,
): Overrides | undefined {
  if (from === undefined) return overrides
  const resolved = resolvePolicy(policy, {})
  const isOff = from !== 'conversation' && resolved.ok && resolved.policy.recall.share === 0
  return { ...overrides, recall: { ...(isOff && presets.balanced.recall), from, ...overrides?.recall } }
}
