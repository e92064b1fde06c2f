/** From a branch to a window: only the rows that can be sent are read. */
import { type Assembled, assemble, type Input } from '../core/assemble.js'
import { type Options, planOf, resolvePolicy } from '../core/plan.js'
import type { Policy } from '../core/policy/schema.js'
import { budgetOf } from '../core/room.js'
import type { Reach, Store, Stretch } from '../store/contract.js'
import type { Entry } from '../store/entry.js'
import { messageOf } from './messages.js'

export interface WindowRequest extends Omit<Options, 'memo' | 'account'>, Omit<Input, 'messages'> {
  readonly branch?: string
  readonly policy?: string | Policy
}

/** What was read for a window, and what it was built from. */
export interface Hydrated {
  readonly head: string | null
  /** Messages and results on the path. */
  readonly stored: number
  readonly loaded: number
}

export type Windowed = Assembled & { readonly hydrated: Hydrated }

export interface Source {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
}

/** How much more than the budget is read at first: stored counts are estimates, and folding makes room. */
const generous = 1.5
const attempts = 8

export async function windowOf(source: Source, branch: string, request: WindowRequest): Promise<Windowed> {
  const { branch: _, policy: asked, current, system, tools, ...options } = request
  const resolved = resolvePolicy(asked, options)
  if (!resolved.ok) return { ok: false, error: resolved.issue, warnings: resolved.issues.slice(1), hydrated: nothing }
  const input = {
    ...(current === undefined ? null : { current }),
    ...(system === undefined ? null : { system }),
    ...(tools === undefined ? null : { tools }),
  }
  let reach = reachOf(resolved.policy, options, input)
  for (let attempt = 1; ; attempt++) {
    const stretch = await source.store.window(source.workspace, source.conversation, branch, reach)
    const built = assemble({ ...input, messages: sparse(stretch) }, resolved.policy, {
      ...options,
      overrides: {},
      account: accountOf(stretch),
    })
    const first = stretch.entries[0]
    const short = built.ok && built.receipt.budget.limit === null && first !== undefined && first.depth > 0
    if (!short || attempt === attempts) return { ...built, hydrated: hydratedOf(stretch) }
    reach = attempt === attempts - 1 ? {} : doubled(reach)
  }
}

const nothing: Hydrated = { head: null, stored: 0, loaded: 0 }

const hydratedOf = ({ head, entries }: Stretch): Hydrated => ({
  head: head?.id ?? null,
  stored: head ? head.depth + 1 : 0,
  loaded: entries.length,
})

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
  return {
    ...(budget.tokens === null ? null : { tokens: Math.max(0, Math.ceil(budget.tokens * generous)) }),
    ...(Number.isFinite(most) ? { entries: most + 1 } : null),
    ...(turns === null ? null : { turns: turns + 1 }),
  }
}

const doubled = ({ tokens, entries, turns }: Reach): Reach => ({
  ...(tokens === undefined ? null : { tokens: tokens * 2 + 1_000 }),
  ...(entries === undefined ? null : { entries: entries * 2 }),
  ...(turns === undefined ? null : { turns: turns * 2 }),
})

/** The whole path in its places, with only the rows that were read in them. */
function sparse({ head, entries, opener }: Stretch): readonly unknown[] {
  const messages: unknown[] = new Array(head ? head.depth + 1 : 0)
  if (opener) messages[opener.depth] = messageOf(opener)
  for (const entry of entries) messages[entry.depth] = messageOf(entry)
  return messages
}

/** Running totals tell what the unread part holds. */
function accountOf({ head, entries, opener }: Stretch): Options['account'] & {} {
  const known = new Map<number, Entry>([...entries, ...(opener ? [opener] : [])].map((entry) => [entry.depth, entry]))
  const before = (depth: number): number => {
    if (depth === 0) return 0
    const at = known.get(depth)
    if (at) return at.total - at.tokens
    return known.get(depth - 1)?.total ?? head?.total ?? 0
  }
  return (from, to) => ({ tokens: before(to) - before(from), chars: 0 })
}
