/** From a branch to a window: only the rows that can be sent are read. */

import { defined } from '../../core/message/defined.js'
import { HistoryError, type Issue } from '../../core/message/issue.js'
import type { Target } from '../../core/message/target.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Policy } from '../../core/policy/schema.js'
import { traitsOf } from '../../core/profile/profiles.js'
import type { ImageLimits } from '../../core/profile/traits.js'
import { type Assembled, assemble, type Input } from '../../core/window/assemble.js'
import type { Marks } from '../../core/window/memo.js'
import { budgetOf, counterFor, type Options, planOf, resolvePolicy } from '../../core/window/plan.js'
import type { Summary } from '../../core/window/summary.js'
import type { Recaller } from '../../recall/contract.js'
import type { Reach, Stretch } from '../../store/contract/append.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Store } from '../../store/contract/store.js'
import { digest } from '../../store/shared/runtime.js'
import { nextTurn } from '../../store/shared/turn.js'
import { askRecall } from './ask-recall.js'
import { beside } from './beside.js'
import { asMarks, type Mark, marksOf } from './entries.js'
import { currentWithFiles, withFiles } from './files.js'
import { capacity, type PartialPath, partial, recallOf, summaryOn, type WindowRecall } from './partial.js'

/** `marks`, when given, take the place of those that are kept with the conversation. */
export interface WindowRequest<T extends Target = Target, Tool = unknown, P = PolicyChoice>
  extends Omit<Options<T>, 'memo' | 'account' | 'places'>,
    Omit<Input<Tool>, 'messages'> {
  readonly branch?: string
  readonly policy?: P
  /** When the store cannot be reached: fail, or go on without the history and say so in a warning. */
  readonly unavailable?: 'throw' | 'continue'
  /** The name of the request in the log. */
  readonly trace?: string
  /** Finds the earlier messages that matter, when not all of them fit. */
  readonly recaller?: Recaller
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

/** What a window heeded besides the messages. */
export type Heeded = Pick<Input, 'marks' | 'summary' | 'recall'>

/** A window of a conversation, or the reason why none could be made; `rendered` has the form of the target. */
export type Windowed<T extends Target = Target, Tool = unknown> = Assembled<T, Tool> & {
  readonly hydrated: Hydrated
  readonly heeded: Heeded
}

export interface Source {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
}

/** How much more than the budget is read at first: stored counts are estimates, and another counter may find less. */
const generous = { estimate: 1.15, other: 1.5 }
/** Core looks at so few messages before those it sends: with them a window need not be built twice. */
const glanced = 18
/** Some policies look at the shape of so many tokens of turns, however little they send. */
const least = 4_000

/** So many excluded messages are looked for far back, to tell of them; further ones are told with the rest there. */
const mostExcluded = 50

/** The name of a policy may come from anywhere; one that does not exist is a refusal. */
export async function windowOf(
  source: Source,
  branch: string,
  request: WindowRequest<Target, unknown, PolicyChoice | string>,
): Promise<Windowed> {
  const { branch: _, policy: asked, unavailable, trace, recaller, ...others } = request
  const { current: said, system, tools, marks, summary, recall: quoted, ...rest } = others
  const { overrides, compat, ...given } = rest
  const recall = recallOf(source)
  const { memo } = recall
  const resolved = resolvePolicy(asked, { ...rest, memo })
  if (!resolved.ok)
    return { ok: false, error: resolved.issue, warnings: resolved.issues.slice(1), hydrated: nothing, heeded: {} }
  const { policy } = resolved
  const { images } = traitsOf(given.target ?? policy.render.target, given)
  const current = await currentWithFiles(said, source, images)
  const options = { digest, ...given, ...(await counterFor(policy, given)) }
  // the share is taken off before anyone knows what will be recalled
  const asks = recaller && !quoted && policy.recall.share > 0 ? recaller : null
  const input = {
    ...defined({ current, system, tools }),
    ...(quoted ? { recall: quoted } : asks ? { recall: { items: [] } } : null),
  }
  const stored = marks ? null : marksOf(source)
  // it is awaited below, where it may fail as the rest may
  stored?.catch(() => {})
  const began = performance.now()
  let reading = 0
  let doublings = recall.doublings - 1
  for (const reach of reaches(policy, { ...options, memo }, input, recall.doublings)) {
    doublings++
    let known: Known
    const start = performance.now()
    try {
      const wishes = { marks, stored, summary }
      known = await read(source, branch, reach, policy, recall, idOf(current), wishes, images)
    } catch (error) {
      if (unavailable !== 'continue' || !HistoryError.is(error) || error.code !== 'unavailable') throw error
      const built = assemble(input, policy, options)
      const warnings = [...built.warnings, withoutHistory(error)]
      return { ...built, warnings, hydrated: { ...nothing, milliseconds: performance.now() - began }, heeded: {} }
    }
    reading += performance.now() - start
    const { path } = known
    const make = (more: Partial<Input>): Assembled =>
      assemble({ ...input, ...known.input, messages: path.messages, ...more }, policy, {
        ...options,
        ...(path.loaded <= capacity ? { memo } : null),
        ...(path.account && { account: path.account }),
        places: path.places,
      })
    let heeded: Heeded = { ...known.input, ...(input.recall && { recall: input.recall }) }
    // of windows that are asked for at once each is built in a turn of its own
    await nextTurn()
    let built = make({})
    if (asks && built.ok && !path.isShort() && mayRecall(built, policy)) {
      const { entries } = known.stretch
      const place = { ...source, branch, head: path.head?.id ?? null, now: options.now, from: policy.recall.from }
      heeded = {
        ...heeded,
        recall: await askRecall(asks, (recall) => make({ ...heeded, recall }), built, policy, entries, place),
      }
      built = make(heeded)
    }
    // where the window would have looked at an entry that was not read, it is built again from more of them
    if (!path.isShort()) recall.reached(Math.min(doublings, mostDoublings))
    if (!path.isShort()) return { ...built, hydrated: hydratedOf(path, reading), heeded }
  }
  throw new Error('the last reach is the whole path')
}

/** Something is missing, or there is more to find elsewhere. */
const mayRecall = ({ receipt }: Extract<Assembled, { ok: true }>, { recall }: Policy): boolean =>
  receipt.budget.limit !== null || recall.from !== 'conversation'

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

/** What a window heeds besides the messages. */
interface Wishes {
  readonly marks: Marks | undefined
  readonly stored: Promise<readonly Mark[]> | null
  readonly summary: Summary | undefined
}

interface Known {
  readonly path: PartialPath
  readonly stretch: Stretch
  readonly input: Pick<Input, 'marks' | 'summary'>
}

async function read(
  source: Source,
  branch: string,
  reach: Reach,
  policy: Policy,
  recall: WindowRecall,
  current: string | undefined,
  wishes: Wishes,
  images: ImageLimits,
): Promise<Known> {
  const { store, workspace, conversation } = source
  const [stretch, stored] = await Promise.all([store.window(workspace, conversation, branch, reach), wishes.stored])
  const marks = wishes.marks ?? asMarks(stored ?? [])
  const [begun, found] = await Promise.all([
    beginning(source, stretch),
    wishes.summary ? null : summaryOn(source, stretch, new Set(marks.excluded)),
  ])
  const summary = wishes.summary ?? found ?? undefined
  const out = (marks.excluded ?? []).slice(-mostExcluded)
  const wanted = [...(marks.pinned ?? []), ...out, ...(summary ? [summary.until] : [])]
  const ids = new Set(begun.map(({ id }) => id))
  const extra =
    wanted.length === 0
      ? []
      : await beside(
          source,
          stretch,
          wanted.filter((id) => !ids.has(id)),
        )
  const [entries, first, far] = await Promise.all([
    withFiles(stretch.entries, source, images),
    withFiles(begun, source, images),
    withFiles(extra, source, images),
  ])
  const path = partial({ ...stretch, entries }, first, policy, recall.message, current, far)
  // what someone pinned on another branch is no news here
  const pinned = wishes.marks ? marks.pinned : marks.pinned?.filter((id) => path.places(id) !== undefined)
  const isMarked = [pinned, marks.excluded, marks.whole].some((list) => list && list.length > 0)
  return {
    path,
    stretch,
    input: {
      ...(isMarked ? { marks: { ...marks, ...(pinned && { pinned }) } } : null),
      ...(summary ? { summary } : null),
    },
  }
}

/** From the first entry to the opener, when they were not read: nearly always the opener alone. */
async function beginning({ store, workspace, conversation }: Source, stretch: Stretch): Promise<readonly Entry[]> {
  const { opener, entries } = stretch
  if (!opener || !entries[0] || entries[0].depth <= opener.depth) return []
  return opener.depth === 0 ? [opener] : store.path(workspace, conversation, opener.id)
}

/** Each further than the one before; the last is the whole path. */
function* reaches(
  policy: Policy,
  options: Options,
  input: Omit<Input, 'messages'>,
  doublings: number,
): Generator<Reach> {
  if (!options.risks) {
    let reach = reachOf(policy, options, input)
    for (let times = 0; times <= mostDoublings; times++) {
      if (times >= doublings) yield reach
      reach = doubled(reach)
    }
  }
  yield {}
}

const mostDoublings = 3

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
    ...(Number.isFinite(most) ? { entries: most + glanced + (idOf(input.current) === undefined ? 1 : 2) } : null),
    ...(turns === null ? null : { turns: turns + 1 }),
  }
}

const doubled = ({ tokens, entries, turns }: Reach): Reach => ({
  ...(tokens === undefined ? null : { tokens: tokens * 2 }),
  ...(entries === undefined ? null : { entries: entries * 2 }),
  ...(turns === undefined ? null : { turns: turns * 2 }),
})
