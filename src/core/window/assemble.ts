/** intake -> fold -> clip -> fit -> mend, then render: one window, and the receipt that explains it. */

import { decode } from '../message/dialects/decode.js'
import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import { type Target, targets } from '../message/target.js'
import { isBlank } from '../message/text.js'
import type { Window } from '../message/window.js'
import type { PolicyChoice, TargetOf } from '../policy/presets/index.js'
import type { Policy } from '../policy/schema.js'
import type { Fate, Receipt } from '../receipt/receipt.js'
import type { Rendered } from '../render/render.js'
import type { ModelFacts } from '../tokens/models.js'
import { attempt, type Job, mustOf } from './attempt.js'
import { currentOf, fitCurrent, shortCurrent } from './current.js'
import { type Marks, markedOf, whereIn } from './memo.js'
import { budgetOf, type Options, type Prepared, planOf, resolvePolicy } from './plan.js'
import type { Recall } from './recall.js'
import type { Shape } from './shape.js'
import { textOf } from './shape.js'
import type { Summary } from './summary.js'
import { say } from './voice.js'
import type { Plan } from './walk.js'

/** What a window is made from: the history, the message to answer, the system prompt and the tools. */
export interface Input<Tool = unknown> {
  /** Raw messages of unknown quality, oldest first, in any known dialect. */
  readonly messages?: unknown
  /** The message to answer. It is no part of the history and appears exactly once. */
  readonly current?: unknown
  /** The system prompt. It comes from you, never from the history. */
  readonly system?: string
  /** Tool schemas in the provider's own form; counted and passed through. */
  readonly tools?: readonly Tool[]
  /** What people decided about single messages. */
  readonly marks?: Marks
  /** Stands for the beginning of the history when not all of it fits. */
  readonly summary?: Summary
  /** Earlier messages that may matter now; they take the policy's share when not all of the history fits. */
  readonly recall?: Recall
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

/** A window with its receipt, or the reason why none could be made. `rendered` has the form of the target. */
export type Assembled<T extends Target = Target, Tool = unknown> =
  | {
      readonly ok: true
      readonly items: readonly WindowItem[]
      readonly window: Window
      readonly rendered: Rendered<T, Tool>
      readonly receipt: Receipt
      readonly warnings: readonly Issue[]
    }
  | { readonly ok: false; readonly error: Issue; readonly warnings: readonly Issue[] }

/**
 * Turns a history into the window a model should see. Never throws for a bad history: what is wrong comes back as a value.
 *
 * @example
 * ```ts
 * const made = assemble({ messages, current: 'And now?' }, 'balanced', { model: 'gpt-4o', target: 'openai-chat' })
 * if (made.ok) await openai.chat.completions.create({ model: 'gpt-4o', ...made.rendered })
 * else console.error(made.error.message)
 * ```
 */
export function assemble<const P extends PolicyChoice = 'balanced', T extends Target = TargetOf<P>, Tool = never>(
  input: Input<Tool> | readonly unknown[],
  policy?: P,
  options?: Options<T>,
): Assembled<T, Tool>
export function assemble(input: Input | readonly unknown[], policy?: PolicyChoice, options: Options = {}): Assembled {
  const given: Input = Array.isArray(input) ? { messages: input } : (input as Input)
  const wrong = wrongIn(given, options)
  if (wrong) return { ok: false, error: wrong, warnings: [] }
  const resolved = resolvePolicy(policy, options)
  if (!resolved.ok) return { ok: false, error: resolved.issue, warnings: resolved.issues.slice(1) }
  const plan = planOf(resolved.policy, options)
  const marks = markedOf(given.marks)
  return build(given, marks ? { ...plan, marks } : plan, options)
}

function build(input: Input, plan: Prepared, options: Options): Assembled {
  const { policy } = plan
  const warnings: Issue[] = []
  const list = listOf(input.messages, policy, warnings)
  if (!list.ok) return { ok: false, error: list.issue, warnings }
  const { messages } = list
  const lead = leadingOf(input, messages, plan)
  const given: Input = lead.count === 0 || lead.system === undefined ? input : { ...input, system: lead.system }
  const now = currentOf(given.current, plan)
  if (!now.ok) return { ok: false, error: now.issue, warnings }

  const budget = budgetOf(policy.fit, {
    asked: options.budget,
    system: given.system,
    tools: given.tools,
    facts: plan.facts,
    current: now.kept?.shape.after.tokens,
    plan,
  })
  warnings.push(...budget.warnings)
  if (plan.facts?.source === 'assumed' && policy.fit.tokens === 'model' && options.budget === undefined)
    warnings.push(assumed(plan.facts))
  if (policy.strategy === 'summarize' && !given.summary && !options.summarises) warnings.push(noSummariser)
  if (given.recall?.warning) warnings.push(given.recall.warning)
  const floor = policy.intake.last === null ? lead.count : Math.max(0, messages.length - policy.intake.last)
  const where = options.places ?? whereIn(messages, plan)
  const must = (): number => mustOf({ messages, plan, floor, where })
  const current = now.kept && fitCurrent(now.kept, plan, budget, must)
  if (current && !current.ok) return { ok: false, error: current.issue, warnings }
  warnings.push(...countWarnings(messages.length, policy))
  const { shape: asked, left } = current ?? { shape: null, left: null }
  const job: Job = { given, messages, plan, options, warnings, budget, asked, left, floor, leading: lead.count, where }
  if (asked && options.compat !== 'literal') warnings.push(...shortened(asked))
  const made = tried(job)
  if (made.ok || made.error.code !== 'fit.budget' || !now.kept || left !== null) return made
  // what must be kept has no room beside it: it gives way itself
  const short = shortCurrent(now.kept, plan, budget, must)
  if (!short) return made
  return tried({
    ...job,
    asked: short.shape,
    left: short.left,
    warnings: [...warnings.filter(({ code }) => code !== 'fit.current'), ...shortened(short.shape)],
  })
}

/** The message to answer is never cut without a word. */
function shortened({ cut }: Shape): Issue[] {
  if (!cut) return []
  const [from, to] = cut
  const message = `the message to answer does not fit and was cut from ${from} to ${to} characters; shorten it, or raise the budget`
  return [{ code: 'fit.current', field: 'current', value: { from, to }, message }]
}

const assumed = ({ id, window }: ModelFacts): Issue => ({
  code: 'model.window',
  field: 'model',
  value: id,
  message: `the window of '${id}' is not known; ${window} tokens are assumed. Set it with the option \`window\`, or add the model to \`models\`, in the settings of a service to those of its provider`,
})

function tried(job: Job): Assembled {
  let made = attempt(job, 0)
  // mend may have had to add a word: the history makes as little room as will do, so that a bigger budget never keeps less
  for (let slack = 0; made.overdrawn > 0 && slack < made.overdrawn + (made.added ?? 0); ) {
    slack += Math.max(1, made.overdrawn >> 4)
    made = attempt(job, slack)
  }
  return made.assembled
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

const oneOfTargets = `one of ${targets.join(', ')}`
const wrongBudget = 'budget must be a whole number of tokens, zero or more'

/** What a program without types gets wrong: all but the messages, which may be of any quality. */
function wrongIn({ system, tools, marks, recall }: Input, options: Options): Issue | null {
  const { budget, target, model, counter, memo } = options
  const { isArray } = Array
  const ids = ([name, list]: [string, unknown]) => [`marks.${name}`, list, isArray(list), 'a list of ids'] as const
  const checks: readonly (readonly [field: string, value: unknown, isRight: boolean, must: string])[] = [
    ['target', target, targets.some((one) => one === target), oneOfTargets],
    ['model', model, typeof model === 'string', 'the id of a model, a string'],
    ['counter', counter, typeof counter?.count === 'function', 'a counter: a name, and count(text)'],
    ['memo', memo, memo?.tables instanceof WeakMap, 'what createMemo gave'],
    ['system', system, typeof system === 'string', 'a string'],
    ['tools', tools, isArray(tools), 'a list'],
    ...(marks ? Object.entries(marks).map(ids) : []),
    ['recall.items', recall, isArray(recall?.items), 'a list of what was found'],
  ]
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget >= 0))
    return { code: 'options.budget', field: 'budget', value: budget, message: wrongBudget }
  const [field, value, , must] = checks.find(([, value, isRight]) => !isRight && (value ?? null) !== null) ?? []
  return field === undefined ? null : { code: 'options.invalid', field, value, message: `${field} must be ${must}` }
}

/** What will happen while nothing has, and what did when it has. */
function manySay(count: number, limit: number | null): string {
  if (limit === null) return `the history has ${count} messages`
  if (count <= limit)
    return `the history has ${count} of at most ${limit} messages: beyond that the oldest are left out`
  return `the history has ${count} messages: the newest ${limit} are used`
}

function countWarnings(count: number, policy: Policy): Issue[] {
  const { last, warnAt, voice } = policy.intake
  if (last !== null && count > last && policy.intake.invalid === 'reject')
    return [say(voice, { code: 'admit.count', count, limit: last })]
  if (warnAt === null || count < warnAt) return []
  const message = manySay(count, policy.fit.messages ?? last)
  return [{ code: 'admit.many', field: 'messages', value: count, message }]
}

// system messages at the head of the caller's own list: they are the system prompt

interface Leading {
  /** How many messages they are. */
  readonly count: number
  readonly system: string | undefined
}

/** Null where a getter or a proxy throws. */
function read(message: unknown): ReturnType<typeof decode> | null {
  try {
    return decode(message)
  } catch {
    return null
  }
}

function leadingOf(given: Input, messages: readonly unknown[], { policy }: Plan): Leading {
  const said: string[] = given.system === undefined || isBlank(given.system) ? [] : [given.system]
  let count = 0
  while (policy.intake.system === 'prompt' && count < messages.length) {
    const decoded = read(messages[count])
    if (!decoded?.ok || decoded.role !== 'system' || decoded.results.length > 0) break
    const words = textOf({ role: 'system', parts: decoded.parts })
    if (!isBlank(words)) said.push(words)
    count++
  }
  return { count, system: count === 0 ? given.system : said.join('\n\n') }
}
