/** The presets: one machine, seven parts lists. */
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

const preset = (overrides: Overrides): Policy => parsePolicy(extend(base, overrides))

export const presets = /* @__PURE__ */ Object.freeze({
  balanced: preset(balanced),
  'handoff-balanced': preset(handoffBalanced),
  'handoff-user-first': preset(handoffUserFirst),
  'stateless-query': preset(statelessQuery),
  'handoff-assistant-first': preset(handoffAssistantFirst),
  'agent-turns': preset(agentTurns),
  'session-window': preset(sessionWindow),
})

export type PresetName = keyof typeof presets

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name)

/** What turns a preset back into the letter of its specification, known faults included. */
export const literal: Readonly<Partial<Record<string, Overrides>>> = Object.freeze({
  'handoff-user-first': handoffUserFirstLiteral,
  'stateless-query': statelessQueryLiteral,
  'handoff-assistant-first': handoffAssistantFirstLiteral,
  'session-window': sessionWindowLiteral,
})
