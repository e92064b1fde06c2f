/**
 * What holds for a conversation: the only reader of what it says about itself. One order for every door: the request,
 * the conversation, the door's default, the server.
 */
import { choiceOf, type PolicyChoice, type PresetName } from '../core/policy/presets/index.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import { type RecallFrom, recallFromOf, remembering } from '../engine/window/partial.js'
import { type Effort, efforts } from '../models/wire/contract.js'
import type { Conversation } from '../store/contract/conversation.js'

/** What can be asked for, and what a conversation can keep. */
export interface Settings {
  readonly model?: string | undefined
  readonly policy?: string | Policy | undefined
  readonly system?: string | undefined
  readonly recall?: RecallFrom | undefined
  readonly budget?: number | undefined
  readonly temperature?: number | undefined
  readonly effort?: Effort | undefined
  /** Whether the tools of the server may be called. */
  readonly agent?: boolean | undefined
  readonly overrides?: Overrides | undefined
}

/** Presets as a server has set them; the others are as they come. */
export type PresetPolicies = { readonly [N in PresetName]?: Policy }

export interface ServerSettings extends Settings {
  readonly presets?: PresetPolicies | undefined
}

export interface SettledRun {
  /** Undefined for the model that answers when none is named. */
  readonly model: string | undefined
  readonly policy: PolicyChoice
  readonly system: string | undefined
  readonly budget: number | undefined
  readonly temperature: number | undefined
  readonly effort: Effort | undefined
  readonly agent: boolean | undefined
  /** Fields of the policy that are changed, with how far it recalls among them. */
  readonly overrides: Overrides | undefined
}

/** What a conversation says about itself; what is not what it should be is as if it were not there. */
export function settingsIn(conversation: Pick<Conversation, 'meta'> | null | undefined): Settings {
  const { model, policy, system, recall, budget, temperature, effort, tools } = conversation?.meta ?? {}
  return {
    model: textIn(model),
    policy: textIn(policy),
    system: textIn(system),
    recall: recallFromOf(recall),
    budget: Number.isSafeInteger(budget) && (budget as number) > 0 ? (budget as number) : undefined,
    temperature: typeof temperature === 'number' && temperature >= 0 && temperature <= 2 ? temperature : undefined,
    effort: efforts.find((name) => name === effort),
    // a conversation can only do without: whether there are tools is not its to say
    agent: tools === false ? false : undefined,
  }
}

/** The first that says anything, field by field. */
export function settleRun(
  asked: Settings,
  conversation: Pick<Conversation, 'meta'> | null | undefined,
  door: Settings = {},
  server: ServerSettings = {},
): SettledRun {
  const inOrder = [asked, settingsIn(conversation), door, server]
  const first = <K extends keyof Settings>(name: K): Settings[K] =>
    inOrder.find((settings) => settings[name] !== undefined)?.[name]
  const named = choiceOf(first('policy') ?? 'balanced')
  const policy = (typeof named === 'string' && server.presets?.[named]) || named
  return {
    model: first('model'),
    policy,
    system: first('system'),
    budget: first('budget'),
    temperature: first('temperature'),
    effort: first('effort'),
    agent: settingsIn(conversation).agent ?? first('agent'),
    overrides: remembering(first('recall'), policy, first('overrides')),
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
