/** From a branch to a window: only the rows that can be sent are read. */
import { hash } from 'node:crypto'
import { type Assembled, assemble, type Input } from '../core/assemble.js'
import { HistoryError, type Issue } from '../core/issue.js'
import { type Options, planOf, resolvePolicy } from '../core/plan.js'
import type { Policy } from '../core/policy/schema.js'
import { budgetOf } from '../core/room.js'
import type { Reach, Store, Stretch } from '../store/contract.js'
import type { Entry } from '../store/entry.js'
import { type PartialPath, partial } from './partial.js'
import { capacity, type Recall, recallOf } from './recall.js'

export interface WindowRequest extends Omit<Options, 'memo' | 'account'>, Omit<Input, 'messages'> {
  readonly branch?: string
  readonly policy?: string | Policy
  /** When the store cannot be reached: fail, or go on without the history and say so in a warning. */
  readonly unavailable?: 'throw' | 'continue'
  /** The name of the request in the log. */
  readonly trace?: string
}

/** What was read for a window, and what it was built from. */
export interface Hydrated {
  readonly head: string | null
  /** Entries on the path. */
  readonly stored: number
  readonly loaded: number
  /** Tokens of the path, as they were counted when it was written. */
  readonly tokens: number
  /** How long it took to read. */
  readonly milliseconds: number
}

export type Windowed = Assembled & { readonly hydrated: Hydrated }

export interface Source {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
}

/** How much more than the budget is read at first: stored counts are estimates, and another counter may find less. */
const generous = { estimate: 1.15, other: 1.5 }
/** Some policies look at the shape of so many tokens of turns, however little they send. */
const least = 4_000

const native = (text: string): string => hash('sha256', text, 'hex')

export async function windowOf(source: Source, branch: string, request: WindowRequest): Promise<Windowed> {
  const { branch: _, policy: asked, unavailable, trace, current, system, tools, ...rest } = request
  const { overrides, compat, ...given } = rest
  const options = { digest: native, ...given }
  const recall = recallOf(source)
  const { memo } = recall
  const resolved = resolvePolicy(asked, { ...rest, memo })
  if (!resolved.ok) return { ok: false, error: resolved.issue, warnings: resolved.issues.slice(1), hydrated: nothing }
  const { policy } = resolved
  const input = {
    ...(current === undefined ? null : { current }),
    ...(system === undefined ? null : { system }),
    ...(tools === undefined ? null : { tools }),
  }
  const began = performance.now()
  let reading = 0
  for (const reach of reaches(policy, { ...options, memo }, input)) {
    let known: PartialPath
    const start = performance.now()
    try {
      known = await read(source, branch, reach, policy, recall, idOf(current))
    } catch (error) {
      if (unavailable !== 'continue' || !HistoryError.is(error) || error.code !== 'unavailable') throw error
      const built = assemble(input, policy, options)
      const warnings = [...built.warnings, withoutHistory(error)]
      return { ...built, warnings, hydrated: { ...nothing, milliseconds: performance.now() - began } }
    }
    reading += performance.now() - start
    const built = assemble({ ...input, messages: known.messages }, policy, {
      ...options,
      ...(known.loaded <= capacity ? { memo } : null),
      ...(known.account && { account: known.account }),
    })
    // where the window would have looked at an entry that was not read, it is built again from more of them
    if (!known.isShort()) return { ...built, hydrated: hydratedOf(known, reading) }
  }
  throw new Error('the last reach is the whole path')
}

const idOf = (message: unknown): string | undefined => {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
  return typeof id === 'string' ? id : undefined
}

const nothing: Hydrated = { head: null, stored: 0, loaded: 0, tokens: 0, milliseconds: 0 }

const hydratedOf = ({ head, loaded }: PartialPath, milliseconds: number): Hydrated => ({
  head: head?.id ?? null,
  stored: head ? head.depth + 1 : 0,
  loaded,
  tokens: head?.total ?? 0,
  milliseconds,
})

const withoutHistory = (error: HistoryError): Issue => ({
  code: 'history.unavailable',
  field: 'messages',
  message: `the history could not be read, and the window goes without it: ${error.message}`,
})

async function read(
  source: Source,
  branch: string,
  reach: Reach,
  policy: Policy,
  recall: Recall,
  current: string | undefined,
): Promise<PartialPath> {
  const { store, workspace, conversation } = source
  const stretch = await store.window(workspace, conversation, branch, reach)
  return partial(stretch, await beginning(source, stretch), policy, recall.message, current)
}

/** From the first entry to the opener, when they were not read: nearly always the opener alone. */
async function beginning({ store, workspace, conversation }: Source, stretch: Stretch): Promise<readonly Entry[]> {
  const { opener, entries } = stretch
  if (!opener || !entries[0] || entries[0].depth <= opener.depth) return []
  return opener.depth === 0 ? [opener] : store.path(workspace, conversation, opener.id)
}

/** Each further than the one before; the last is the whole path. */
function* reaches(policy: Policy, options: Options, input: Omit<Input, 'messages'>): Generator<Reach> {
  if (!options.risks) {
    let reach = reachOf(policy, options, input)
    for (let attempt = 1; attempt <= 4; attempt++) {
      yield reach
      reach = doubled(reach)
    }
  }
  yield {}
}

function reachOf(policy: Policy, options: Options, input: Omit<Input, 'messages'>): Reach {
  const plan = planOf(policy, options)
  const budget = budgetOf(policy.fit, {
    asked: options.budget,
    system: input.system,
    tools: input.tools,
    facts: plan.facts,
    plan,
  })
  const { messages, turns } = policy.fit
  const { last } = policy.intake
  const most = Math.min(last ?? Number.POSITIVE_INFINITY, messages ?? Number.POSITIVE_INFINITY)
  const more = plan.scale.counter.name.startsWith('estimate') ? generous.estimate : generous.other
  return {
    ...(budget.tokens === null ? null : { tokens: Math.max(least, Math.ceil(budget.tokens * more)) }),
    // a message that stands at the head already is one of those that are read
    ...(Number.isFinite(most) ? { entries: most + (idOf(input.current) === undefined ? 1 : 2) } : null),
    ...(turns === null ? null : { turns: turns + 1 }),
  }
}

const doubled = ({ tokens, entries, turns }: Reach): Reach => ({
  ...(tokens === undefined ? null : { tokens: tokens * 2 }),
  ...(entries === undefined ? null : { entries: entries * 2 }),
  ...(turns === undefined ? null : { turns: turns * 2 }),
})
