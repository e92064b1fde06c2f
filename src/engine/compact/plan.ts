/** What a summary would cover: everything that the window leaves out, from the oldest on. */
import { resolvePolicy } from '../../core/window/plan.js'
import type { Entry } from '../../store/contract/entry.js'
import { type Source, type Windowed, type WindowRequest, windowOf } from '../window/window.js'
import type { CompactRequest } from './compact.js'

/** For a policy that asks for summaries and does not say when: rare steps, not every turn. */
const usualDue = 0.25
/** Share of the budget that a summary takes, about. */
const expected = 0.2
/** Share of the budget that a message to answer takes, about. */
const ahead = 1 / 80
/** Behind a new summary the window takes this share of the budget. */
const low = 0.45
/** Quotes that leave the window so full free less than half of a step: the next summary takes their place. */
const crowded = 5 / 6

export interface Plan {
  /** Not covered yet, up to the newest one to be covered. */
  readonly entries: readonly Entry[]
  readonly previous: Entry | null
  readonly until: Entry
  /** The path that was read leads to it. */
  readonly head: string
  /** The newest summary of the branch when this was planned, in use or not. */
  readonly newest: string | null
  readonly budget: number
}

/** Null when there is too little to cover. */
export async function planOf(source: Source, branch: string, request: CompactRequest): Promise<Plan | null> {
  const { store, workspace, conversation } = source
  const { summariser: _, force = false, patienceMs: __, live: ___, ...asked } = request
  const due = dueOf(asked, force)
  if (due === null) return null
  const made = await windowOf(source, branch, asked)
  if (!made.ok || made.hydrated.head === null) return null
  const budget = made.receipt.budget.tokens ?? made.receipt.budget.used
  const lower = (more: WindowRequest) => windowOf(source, branch, { ...asked, ...lowered(asked, budget), ...more })
  const isDue = lastDropped(made) !== null
  const isFar = force || made.receipt.budget.used < budget * 0.7
  const current = 'word '.repeat(Math.ceil(budget * ahead))
  if (!isDue && (isFar || !isNear(await windowOf(source, branch, { ...asked, current }), budget))) return null
  const last = lastDropped(made) ?? lastDropped(await lower({}))
  const head = await store.entry(workspace, conversation, made.hydrated.head)
  if (last === null || !head) return null
  const previous = await entryOf(source, made.receipt.summary?.id)
  const covered =
    previous?.body.kind === 'summary' ? await store.entry(workspace, conversation, previous.body.until) : null
  const from = (covered?.depth ?? -1) + 1
  if (last < from) return null
  const path = await store.path(workspace, conversation, head.id, head.depth - from + 1)
  const newest = path.findLast(({ body }) => body.kind === 'message' && body.role === 'user')?.depth ?? head.depth
  let entries = wholeCalls(path, (isDue ? last : Math.min(last, newest - 1)) - from)
  // the summary takes room itself, and then a little more is missing
  for (let more = 0; more < 3; more++) {
    const until = entries.at(-1)
    if (!until) return null
    const text = 'word '.repeat(Math.ceil(budget * expected))
    const further = lastDropped(await lower({ summary: { text, until: until.id } })) ?? -1
    if (Math.min(further, newest - 1) <= until.depth) break
    entries = wholeCalls(path, Math.min(further, newest - 1) - from)
  }
  const until = entries.at(-1)
  const settled = force ? -1 : await undoneUntil(source, head, previous)
  const missing = entries.reduce((sum, { depth, tokens }) => sum + (depth > settled ? tokens : 0), 0)
  if (!until || missing < budget * due) return null
  return { entries, previous, until, head: head.id, newest: head.summary, budget }
}

/** With a message to answer something has to go; or, behind a summary, quotes break the prefix and hardly free any room. */
function isNear(next: Windowed, budget: number): boolean {
  if (!next.ok || lastDropped(next) !== null) return next.ok
  const { summary, room, totals, budget: then } = next.receipt
  const isQuoted = room?.mode === 'steps' && totals.clipped + totals.folded > 0
  return summary !== undefined && isQuoted && then.used > budget * crowded
}

/** A summary covers so much at once that the next one is long in coming: the prefix stays the same in between. */
const lowered = ({ overrides }: WindowRequest, budget: number): WindowRequest => ({
  budget: Math.floor(budget * low),
  overrides: { ...overrides, fit: { ...overrides?.fit, step: 0 } },
})

/** Whoever undid a summary does not want the same one again: what it covered counts as told. */
async function undoneUntil(source: Source, { summary }: Entry, used: Entry | null): Promise<number> {
  const newest = summary === null || summary === used?.id ? null : await entryOf(source, summary)
  if (newest?.body.kind !== 'summary' || newest.redacted) return -1
  return (await entryOf(source, newest.body.until))?.depth ?? -1
}

/** The share that must be missing; null when the policy writes no summaries. */
function dueOf({ policy, overrides }: CompactRequest, force = false): number | null {
  const resolved = resolvePolicy(policy, { ...(overrides && { overrides }) })
  if (!resolved.ok || resolved.policy.fit.summary.share === 0) return null
  const { strategy, fit } = resolved.policy
  if (force) return 0
  return fit.summary.due > 0 ? fit.summary.due : strategy === 'summarize' ? usualDue : null
}

const entryOf = async ({ store, workspace, conversation }: Source, id: string | undefined): Promise<Entry | null> =>
  id === undefined ? null : store.entry(workspace, conversation, id)

function lastDropped(made: Windowed): number | null {
  if (!made.ok) return null
  const dropped = made.receipt.lines.filter(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
  return dropped.at(-1)?.to ?? null
}

/** A call and its results are covered together. */
function wholeCalls(path: readonly Entry[], last: number): readonly Entry[] {
  let end = last
  while (path[end + 1]?.body.kind === 'result') end++
  return path.slice(0, end + 1)
}
