/** The presets: one machine, seven parts lists. */

import { HistoryError, type Issue } from '../../message/issue.js'
import type { Target } from '../../message/target.js'
import { extend, parsePolicy } from '../parse.js'
import type { Overrides, Policy } from '../schema.js'
import { agentTurns } from './agent-turns.js'
import { balanced } from './balanced.js'
import { base } from './base.js'
import { handoffAssistantFirst, handoffAssistantFirstLiteral } from './handoff-assistant-first.js'
import { handoffBalanced } from './handoff-balanced.js'
import { handoffUserFirst, handoffUserFirstLiteral } from './handoff-user-first.js'
import { sessionWindow, sessionWindowLiteral } from './session-window.js'
import { statelessQuery, statelessQueryLiteral } from './stateless-query.js'

/** The target is said in the preset, or is that of the base. */
function preset<T extends Target>(overrides: Overrides & { readonly render: { readonly target: T } }): Policy<T>
function preset(overrides: Overrides): Policy<'messages'>
function preset(overrides: Overrides): Policy {
  return parsePolicy(extend(base, overrides))
}

/** The policies that come with the package, by name: read one before you `extend` it. */
export const presets = /* @__PURE__ */ Object.freeze({
  balanced: preset(balanced),
  'handoff-balanced': preset(handoffBalanced),
  'handoff-user-first': preset(handoffUserFirst),
  'stateless-query': preset(statelessQuery),
  'handoff-assistant-first': preset(handoffAssistantFirst),
  'agent-turns': preset(agentTurns),
  'session-window': preset(sessionWindow),
})

/** The name of a policy that comes with the package. */
export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as readonly PresetName[]

/**
 * What can be given as a policy: the name of a preset, a policy, or changes to a preset.
 *
 * @example
 * ```ts
 * const choice: PolicyChoice = { extends: 'balanced', fit: { tokens: 4_000 } }
 * ```
 */
export type PolicyChoice = PresetName | Policy | (Overrides & { readonly extends: PresetName })

type PresetTargets = { readonly [N in PresetName]: (typeof presets)[N]['render']['target'] }

/** The target that a policy renders for when a call names none. */
export type TargetOf<P extends PolicyChoice> = P extends PresetName
  ? PresetTargets[P]
  : P extends { readonly render: { readonly target: infer T extends Target } }
    ? T
    : P extends { readonly extends: infer N extends PresetName }
      ? PresetTargets[N]
      : Target

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name)

/**
 * A policy whose name is only known when the program runs. Throws a `HistoryError` when no preset has it.
 * @example await openHistory({ store, policy: choiceOf(process.env.POLICY ?? 'balanced') })
 */
export function choiceOf(policy: string | PolicyChoice): PolicyChoice {
  if (typeof policy !== 'string' || isPreset(policy)) return policy
  throw new HistoryError('policy.invalid', [unknownPolicy(policy)])
}

export const unknownPolicy = (name: unknown): Issue => ({
  code: 'policy.unknown',
  field: 'policy',
  value: name,
  message: `there is no policy '${String(name)}'; the presets are ${presetNames.join(', ')}`,
})

/** What turns a preset back into the letter of its specification, known faults included. */
export const literal: Readonly<Partial<Record<string, Overrides>>> = Object.freeze({
  'handoff-user-first': handoffUserFirstLiteral,
  'stateless-query': statelessQueryLiteral,
  'handoff-assistant-first': handoffAssistantFirstLiteral,
  'session-window': sessionWindowLiteral,
})
