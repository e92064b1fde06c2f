/** intake -> fold -> clip -> fit -> mend, then render: one window, and the receipt that explains it. */
import { currentOf, fitCurrent } from './current.js'
import { say } from './intake/voice.js'
import { isSame, type Slot, Walk } from './intake/walk.js'
import type { Issue } from './issue.js'
import type { Item } from './item.js'
import { type Options, type Prepared, planOf, resolvePolicy } from './plan.js'
import type { Overrides, Policy } from './policy/schema.js'
import type { Fate, Receipt } from './receipt.js'
import type { Rendered } from './render/render.js'
import { type Budget, budgetOf, roomOf } from './room.js'
import { type Settled, settle } from './settle.js'
import { textOf } from './stages/clip.js'
import { fit } from './stages/fit.js'
import { gapLoad, gapsOf } from './stages/gap.js'
import { type Kept, weightless } from './stages/load.js'
import { before, pinsOf } from './stages/pin.js'
import type { Shape } from './stages/shape.js'
import type { Window } from './window.js'

export interface Input {
  /** Raw messages of unknown quality, oldest first, in any known dialect. */
  readonly messages?: unknown
  /** The message to answer. It is no part of the history and appears exactly once. */
  readonly current?: unknown
  /** The system prompt. It comes from you, never from the history. */
  readonly system?: string
  /** Tool schemas in the provider's own form; counted and passed through. */
  readonly tools?: readonly unknown[]
}

/** An item of the window and where it came from. */
export interface WindowItem extends Item {
  /** Position in the input; null for the current message and for marks. */
  readonly index: number | null
  readonly text: string
  readonly fate: Fate | 'marker' | 'current'
  readonly rule: string
  readonly tokens: number
}

export type Assembled =
  | {
      readonly ok: true
      readonly items: readonly WindowItem[]
      readonly window: Window
      readonly rendered: Rendered
      readonly receipt: Receipt
      readonly warnings: readonly Issue[]
    }
  | { readonly ok: false; readonly error: Issue; readonly warnings: readonly Issue[] }

/** Never throws for a bad history: what is wrong comes back as a value. */
export function assemble(
  input: Input | readonly unknown[],
  policy?: string | Policy | (Overrides & { readonly extends: string }),
  options: Options = {},
): Assembled {
  const given: Input = Array.isArray(input) ? { messages: input } : (input as Input)
  const resolved = resolvePolicy(policy, options)
  if (!resolved.ok) return { ok: false, error: resolved.issue, warnings: resolved.issues.slice(1) }
  const bad = badBudget(options.budget)
  if (bad) return { ok: false, error: bad, warnings: [] }
  return build(given, planOf(resolved.policy, options), options)
}

function build(given: Input, plan: Prepared, options: Options): Assembled {
  const { policy } = plan
  const warnings: Issue[] = []
  const list = listOf(given.messages, policy, warnings)
  if (!list.ok) return { ok: false, error: list.issue, warnings }
  const { messages } = list
  const now = currentOf(given.current, plan)
  if (!now.ok) return { ok: false, error: now.issue, warnings }

  const budget = budgetOf(policy.fit, {
    asked: options.budget,
    system: given.system,
    tools: given.tools,
    facts: plan.facts,
    plan,
  })
  warnings.push(...budget.warnings)
  if (policy.strategy === 'summarize') warnings.push(noSummariser)
  const current = now.kept && fitCurrent(now.kept, plan, budget)
  if (current && !current.ok) return { ok: false, error: current.issue, warnings }
  const asked = current?.shape ?? null
  const floor = policy.intake.last === null ? 0 : Math.max(0, messages.length - policy.intake.last)
  warnings.push(...countWarnings(messages.length, policy))
  const job: Job = { given, messages, plan, options, warnings, budget, asked, floor }
  let made = attempt(job, 0)
  // mend may have had to add a word: then the history makes room for it
  for (let slack = made.overdrawn, tries = 0; made.overdrawn > 0 && tries < 3; slack += made.overdrawn, tries++)
    made = attempt(job, slack)
  return made.assembled
}

interface Job {
  readonly given: Input
  readonly messages: readonly unknown[]
  readonly plan: Prepared
  readonly options: Options
  readonly warnings: readonly Issue[]
  readonly budget: Budget
  readonly asked: Shape | null
  readonly floor: number
}

function attempt(job: Job, slack: number): Settled {
  const { given, messages, plan, options, warnings, budget, asked, floor } = job
  const { policy } = plan
  const walk = new Walk(messages, plan, floor, asked?.item ?? null)
  const limits = roomOf(plan, budget, asked && { tokens: asked.after.tokens, text: textOf(asked.item) })
  const room = slack === 0 ? limits : { ...limits, tokens: limits.tokens - slack }
  const pins = once(() => pinsOf(messages, plan, floor, room.tokens))
  const result = fit({
    walk,
    plan,
    current: asked?.item ?? null,
    room,
    pins: (start) => before(pins(), start, plan),
    hole: policy.fit.gap.form === 'message' ? gapLoad(1, plan) : weightless,
    gaps: (heads, start) => gapLoad(policy.fit.gap.form === 'message' ? gapsOf(heads, start, floor).length : 1, plan),
  })
  const strict = policy.intake.invalid === 'reject'
  const rest: Slot[] = []
  if (strict) for (let slot = walk.next(); slot; slot = walk.next()) rest.push(slot)
  const refused = strict ? firstRefusal(walk, floor, policy) : null
  if (refused) return refusedBy(refused.issue, [...warnings, ...refused.warnings])
  if (!result.ok) return refusedBy(result.issue, warnings)
  const head = result.fitted.head.filter((pin) => !isRepeated(pin, result.fitted.tail))
  const pinned = (): number[] => pins().map(({ slot }) => slot.index)
  const unusable = (): number[] => unusableOf(walk, pins(), floor)
  const fitted = { ...result.fitted, head }
  return settle({
    given,
    messages,
    floor,
    walk,
    pinned,
    unusable,
    rest,
    fitted,
    current: asked,
    budget,
    room,
    plan,
    options,
    warnings,
  })
}

const refusedBy = (error: Issue, warnings: readonly Issue[]): Settled => ({
  assembled: { ok: false, error, warnings },
  overdrawn: 0,
})

/** So few messages that the walk did not reach are looked at all the same, to see whether they are messages at all. */
const glance = 16

/** What stands before the pinned messages and is no message. */
function unusableOf(walk: Walk, pins: readonly Kept[], floor: number): number[] {
  const out: number[] = []
  const opener = pins.at(-1)?.slot.index ?? floor
  const end = Math.max(opener, walk.at - floor <= glance ? walk.at : floor)
  for (let index = floor; index < end; index++) {
    const { admitted } = walk.record(index)
    // before the opener there is no call that a result could answer
    if (!admitted.ok || (index < opener && admitted.item.parts.length === 0)) out.push(index)
  }
  return out
}

/** A pinned message that stands again, by its id and to the letter, among the newest. */
const isRepeated = (pin: Kept, tail: readonly Kept[]): boolean =>
  pin.slot.item.id !== undefined &&
  tail.some(({ slot }) => slot.item.id === pin.slot.item.id && isSame(slot.item, pin.slot.item))

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Listed =
  | { readonly ok: true; readonly messages: readonly unknown[] }
  | { readonly ok: false; readonly issue: Issue }

function listOf(value: unknown, policy: Policy, warnings: Issue[]): Listed {
  if (Array.isArray(value)) return { ok: true, messages: value }
  if (value === undefined || value === null) return { ok: true, messages: [] }
  const issue = say(policy.intake.voice, { code: 'admit.list', value })
  if (policy.intake.invalid === 'reject') return { ok: false, issue }
  warnings.push(issue)
  return { ok: true, messages: [] }
}

const noSummariser: Issue = {
  code: 'policy.strategy',
  field: 'policy.strategy',
  value: 'summarize',
  message: 'no summariser is configured; what does not fit is left out instead',
}

function badBudget(budget: unknown): Issue | null {
  if (budget === undefined || (typeof budget === 'number' && Number.isSafeInteger(budget) && budget >= 0)) return null
  return {
    code: 'options.budget',
    field: 'budget',
    value: budget,
    message: 'budget must be a whole number of tokens, zero or more',
  }
}

function countWarnings(count: number, policy: Policy): Issue[] {
  const { last, warnAt, voice } = policy.intake
  if (last !== null && count > last && policy.intake.invalid === 'reject')
    return [say(voice, { code: 'admit.count', count, limit: last })]
  if (warnAt === null || count < warnAt) return []
  return [
    {
      code: 'admit.many',
      field: 'messages',
      value: count,
      message: `the history has ${count} messages; it is cut at ${policy.fit.messages ?? last}`,
    },
  ]
}

/** The first refusal in the order of the history, and the warnings a reader in that order would have had by then. */
function firstRefusal(
  walk: Walk,
  floor: number,
  policy: Policy,
): { readonly issue: Issue; readonly warnings: readonly Issue[] } | null {
  const fatal = walk.lost
    .filter((lost) => lost.note !== null && lost.rule !== 'empty')
    .sort((one, other) => one.index - other.index)[0]
  if (!fatal?.note) return null
  const { voice } = policy.intake
  const earlier = [...walk.lost.filter((lost) => lost.rule === 'empty' && lost.note), ...walk.notes]
    .filter((noted) => noted.index < fatal.index)
    .sort((one, other) => one.index - other.index)
  return {
    issue: say(voice, { ...fatal.note, index: fatal.index - floor }),
    warnings: earlier.flatMap(({ note, index }) => (note ? [say(voice, { ...note, index: index - floor })] : [])),
  }
}
