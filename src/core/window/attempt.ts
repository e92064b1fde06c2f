/** One try at a window: fit the history as it is, or with a summary and a place for what is recalled; then settle. */

import type { Result } from '../message/dialects/decode.js'
import type { Issue } from '../message/issue.js'
import type { Policy } from '../policy/schema.js'
import type { Input } from './assemble.js'
import { fit } from './fit.js'
import type { FitResult, Fitted } from './fitted.js'
import { above, type Heads, headsOf, once } from './fitted.js'
import { excludedPlaces } from './hold.js'
import { boundless, type Kept, type Limit, type Load, weightless } from './load.js'
import type { Where } from './memo.js'
import type { Options, Prepared } from './plan.js'
import { type Budget, roomOf, steadyOf } from './plan.js'
import { heldFor, newestOf, spareOf } from './recall.js'
import { type Settled, settle } from './settle.js'
import type { Shape } from './shape.js'
import { textOf } from './shape.js'
import { shortestText } from './shrink.js'
import { type Standing, standingOf } from './summary.js'
import { gapLoad, gapsOf } from './turns.js'
import { say } from './voice.js'
import { rawId, type Slot, Walk } from './walk.js'

export interface Job {
  readonly given: Input
  readonly messages: readonly unknown[]
  readonly plan: Prepared
  readonly options: Options
  readonly warnings: readonly Issue[]
  readonly budget: Budget
  readonly asked: Shape | null
  /** Tokens that a message too long to stay whole leaves to the history; null when it is whole. */
  readonly left: number | null
  readonly floor: number
  /** So many messages at the head are the system prompt. */
  readonly leading: number
  readonly where: Where
}

/** `slack`: tokens that are left to mend, as if the budget were so much smaller. */
export function attempt(job: Job, slack: number): Settled {
  const { given, plan, budget } = job
  const held = heldFor(given.recall?.items ?? [], plan, budget.tokens ?? Number.POSITIVE_INFINITY)
  const made = held > 0 ? within(job, slack, held) : null
  // what always counts takes no place from the message to answer
  return made?.assembled.ok ? made : within(job, slack, 0)
}

/** `held`: tokens that the history leaves to what always counts. */
function within(job: Job, slack: number, held: number): Settled {
  const { given, messages, plan, options, warnings, budget, asked, left, floor, leading, where } = job
  const most = roomOf(plan, budget, asked && { tokens: asked.after.tokens, text: textOf(asked.item) })
  const room = { ...most, tokens: Math.min(most.tokens, left ?? most.tokens) - slack }
  const own = { ...room, tokens: room.tokens - held }
  const less: Job = slack === 0 ? job : { ...job, budget: { ...budget, tokens: (budget.tokens as number) - slack } }
  const heads = headsOf(messages, plan, floor, steadyOf(plan, less.budget, own), where)
  const plain = fitted(less, own, heads, { standing: null, slack, spare: 0, newest: null, short: null })
  const { walk, result, standing } = shared(less, own, heads, plain, slack, held) ?? plain
  const strict = plan.policy.intake.invalid === 'reject'
  const rest: Slot[] = []
  if (strict) for (let slot = walk.next(); slot; slot = walk.next()) rest.push(slot)
  // what a summary covers is judged too
  if (strict) while (plain.walk.next());
  const refused = strict ? firstRefusal(plain.walk, leading === 0 ? floor : 0, plan.policy) : null
  if (refused) return refusedBy(refused.issue, [...warnings, ...refused.warnings])
  if (!result.ok) return refusedBy(result.issue, warnings)
  // named one by one: a spread takes longer than the walk
  return settle({
    given,
    messages,
    plan,
    options,
    warnings,
    budget,
    floor,
    leading,
    where,
    walk,
    pinned: () => heads.first().map(({ slot }) => slot.index),
    marked: heads.marked,
    excluded: once(() =>
      plan.marks ? excludedPlaces(messages, plan, Math.max(floor, standing?.covered ?? 0), where, walk.at) : [],
    ),
    unusable: () => [...unusableOf(messages, walk, heads.first(), floor), ...looseOf(walk, standing?.covered ?? 0)],
    rest,
    fitted: result.fitted,
    standing,
    current: asked,
    room,
  })
}

/** Tokens of what must stand beside the current message, however little room there is. */
export function mustOf({ messages, plan, floor, where }: Pick<Job, 'messages' | 'plan' | 'floor' | 'where'>): number {
  const { gap } = plan.policy.fit
  const { kept, least } = headsOf(messages, plan, floor, weightless, where).at(messages.length)
  if (kept.length === 0 || gap.form !== 'message' || gap.reserve !== 'first') return least.tokens
  return least.tokens + gapLoad(gapsOf(kept, messages.length, floor).length, plan).tokens
}

interface Fit {
  readonly walk: Walk
  readonly result: FitResult
  readonly standing: Standing | null
}

interface Terms {
  readonly standing: Standing | null
  /** Tokens taken off for mend. */
  readonly slack: number
  /** Tokens kept free for what is recalled. */
  readonly spare: number
  /** Tokens that a long newest turn keeps beside what is recalled; null for all it needs. */
  readonly newest: number | null
  /** The limit that is known to bite. */
  readonly short: Limit | null
}

function fitted({ messages, plan, budget, asked, floor, where }: Job, room: Load, heads: Heads, terms: Terms): Fit {
  const { gap } = plan.policy.fit
  const { standing, slack, spare, newest, short } = terms
  const first = Math.max(floor, standing?.covered ?? 0)
  const current = asked?.item ?? null
  const walk = new Walk(messages, plan, first, current)
  const free = headsOf(messages, plan, floor, boundless, where)
  const result = fit({
    walk,
    plan,
    current,
    room,
    slack,
    budget: budget.tokens ?? Number.POSITIVE_INFINITY,
    steady: steadyOf(plan, budget, room).tokens,
    spare,
    newest,
    short,
    origin: standing?.covered ?? 0,
    pins: standing ? above(heads, standing) : heads.at,
    whole: standing ? above(free, standing) : free.at,
    hole: gap.form === 'message' ? gapLoad(1, plan) : weightless,
    gaps: (kept, start) =>
      gapLoad(gap.form === 'message' ? gapsOf(kept, Math.min(start, messages.length), first).length : 1, plan),
  })
  return { walk, result, standing }
}

/** The history does not fit: a summary takes the place of its beginning, and what is recalled has its share. */
function shared(job: Job, room: Load, heads: Heads, plain: Fit, slack: number, held: number): Fit | null {
  const { given, messages, plan, where, budget, asked } = job
  const short = plain.result.ok ? plain.result.fitted.limit : 'tokens'
  if (short === null) return null
  const standing = given.summary ? standingOf(given.summary, messages, plan, steadyOf(plan, budget, room), where) : null
  // what is quoted in part is still there: nothing has to be recalled, or summarised as long as that gives way alone
  if (plain.result.ok && plain.result.fitted.isAll && !isCutFrom(plain.result.fitted, standing)) return null
  const share =
    given.recall && budget.tokens !== null ? spareOf(plan.policy, given.recall.share ?? 'usual', budget.tokens) : 0
  const spare = Math.max(0, share - held)
  const newest = spare > 0 && given.recall?.share === 'alone' ? newestOf(room.tokens) : null
  if (standing) {
    const made = fitted(job, room, heads, { standing, slack, spare, newest, short })
    // what is to be answered is never summarised
    if (made.result.ok && (asked || hasUser(made.result.fitted)))
      return standing.item ? made : { ...made, standing: null }
    if (!made.result.ok && plain.result.ok) return { ...plain, result: leastOf(plain.result.fitted, plan) }
  }
  return spare > 0 && plain.result.ok ? fitted(job, room, heads, { standing: null, slack, spare, newest, short }) : null
}

/** There is no room for the summary's share: so little stays of what is cut that a bigger budget never keeps less. */
function leastOf(fitted: Fitted, plan: Prepared): FitResult {
  const tail = fitted.tail.map((kept) => (kept.shape.rule === 'fit.oversize' ? shortestText(kept, plan) : kept))
  return { ok: true, fitted: { ...fitted, tail } }
}

/** Something that the summary does not tell has given way. */
const isCutFrom = ({ tail }: Fitted, standing: Standing | null): boolean =>
  standing !== null && tail.some(({ slot, shape }) => slot.index >= standing.covered && shape.fate !== 'kept')

const hasUser = ({ tail }: Fitted): boolean => tail.some(({ shape }) => shape.item.role === 'user')

const refusedBy = (error: Issue, warnings: readonly Issue[]): Settled => ({
  assembled: { ok: false, error, warnings },
  overdrawn: 0,
})

/** So few messages that the walk did not reach are looked at all the same, to see whether they are messages at all. */
const glance = 16

/** What stands before the pinned messages and is no message. */
function unusableOf(messages: readonly unknown[], walk: Walk, pins: readonly Kept[], floor: number): number[] {
  const out: number[] = []
  const last = pins.at(-1)?.slot.index ?? floor
  const id = rawId(messages[last])
  let opener = id === undefined ? last : floor
  // where its row stands first
  while (opener < last && rawId(messages[opener]) !== id) opener++
  const end = Math.max(opener, walk.at - floor <= glance ? walk.at : floor)
  for (let index = floor; index < end; index++) {
    const { admitted } = walk.record(index)
    // before the opener there is no call that a result could answer
    if (!admitted.ok || (index < opener && admitted.item.parts.length === 0)) out.push(index)
  }
  return out
}

/** Behind a summary: what is no message, and results whose call is covered or nowhere. */
function looseOf(walk: Walk, covered: number): number[] {
  const out: number[] = []
  if (covered === 0 || walk.at - covered > glance) return out
  const calls = new Set<string | undefined>()
  for (let index = covered; index < walk.at; index++) {
    const { admitted } = walk.record(index)
    const isLoose = !admitted.ok || (admitted.item.parts.length === 0 && !isAnswer(admitted.results, calls))
    if (isLoose) out.push(index)
    else for (const part of admitted.item.parts) if (part.type === 'call') calls.add(part.id)
  }
  return out
}

const isAnswer = (results: readonly Result[], calls: ReadonlySet<string | undefined>): boolean =>
  results.some(({ callId = '' }) => calls.has(callId))

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
