/** Compaction: what no longer fits the window gets a summary, off the hot path. Whatever fails, nothing changes. */
import { HistoryError } from '../../core/message/issue.js'
import { partsSize } from '../../core/render/size.js'
import { counterFor } from '../../core/window/plan.js'
import type { Step } from '../../store/contract/commit.js'
import type { Entry, NewEntry } from '../../store/contract/entry.js'
import { mapSlowly } from '../../store/shared/turn.js'
import type { Writing } from '../window/entries.js'
import { entryAdded } from '../window/news.js'
import type { Source, WindowRequest } from '../window/window.js'
import { type Accepted, accept } from './accept.js'
import type { Cause, Compacted, Summariser } from './contract.js'
import { extractive } from './extract.js'
import { lookAhead } from './keep.js'
import { saidIn, statementsOf } from './material.js'
import { type Plan, planOf } from './plan.js'
import { isFitting, type PortionScale, portionOf } from './portion.js'
import { continued, rewritten, type Way } from './way.js'

export interface CompactRequest
  extends Pick<
    WindowRequest,
    'branch' | 'policy' | 'model' | 'models' | 'counter' | 'budget' | 'overrides' | 'recall'
  > {
  /** Who writes the summary; left out, sentences are picked without a model. */
  readonly summariser?: Summariser
  /** Also when little was left out. */
  readonly force?: boolean
  /** How long one attempt may take. */
  readonly patienceMs?: number
  /** Tells those who follow the conversation. */
  readonly live?: boolean
}

/** Of the budget: what is asked of the summariser, at once and to go on, and the most with what must not vanish. */
const share = { asked: 0.07, more: 0.02, of: 0.24, least: 160, most: 6_000 }
/** A summary that is hardly smaller than what it stands for is none. */
const smaller = 0.8
const attempts = 2
/** Tokens around the words of a summary. */
const frame = 12
const wordsPerToken = 0.55

export async function compact(source: Source, writing: Writing, request: CompactRequest): Promise<Compacted> {
  const { branch = 'main', summariser = extractive, patienceMs = 60_000 } = request
  const plan = await planOf(source, branch, request)
  if (!plan) return { state: 'unneeded' }
  const { previous } = plan
  const count = (text: string): number => partsSize([{ type: 'text', text }], writing.scale).tokens
  const within = (entries: readonly Entry[], part: number): number =>
    Math.floor(Math.min(Math.max(plan.budget * part, share.least), share.most, tokensOf(plan, entries) * smaller))
  const words = (entries: readonly Entry[], part: number): number =>
    Math.max(20, Math.floor(within(entries, part) * wordsPerToken))
  // measured as the windows are that it will stand in
  const counter = request.counter ?? (await counterFor({ counter: 'auto' }, request)).counter
  const size = counter ? (text: string): number => counter.count(text) + frame : count
  const scale: PortionScale = { count: size, most: (entries) => within(entries, share.of) }
  let { entries } = plan
  await mapSlowly(entries, (entry) => lookAhead(saidIn([entry])))
  if (!(await isFitting(entries, scale))) entries = (await portionOf(entries, scale)) ?? entries
  if (saidIn(entries).length === 0) return { state: 'unneeded' }
  let cause: Cause = 'summary_failed'
  let mayContinue = true
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const said = saidIn(entries)
    const measure = { count: size, most: scale.most(entries) }
    const goesOn = mayContinue && previous ? continued(previous, said, words(entries, share.more), measure) : null
    const brief = { previous: previous ? statementsOf(previous) : [], said, words: words(entries, share.asked) }
    const made = await attemptOf(goesOn ?? rewritten(brief, measure), summariser, patienceMs)
    if (!made.ok) {
      cause = made.cause
      if (cause === 'summary_too_large' && !goesOn) entries = (await portionOf(entries, scale)) ?? entries
      if (cause === 'summary_too_large') mayContinue = false
      continue
    }
    const covered = { ...plan, until: entries.at(-1) ?? plan.until }
    const before = tokensOf(plan, entries)
    const summary = entryOf(made, covered, before, { writing, count, author: summariser.author })
    if (!(await putSummary(source, branch, summary, covered, request.live === true)))
      return { state: 'refused', cause: 'summary_overtaken', attempts: attempt }
    return {
      state: 'done',
      entry: summary.id,
      until: covered.until.id,
      covers: covered.until.depth + 1,
      tokens: [before, summary.tokens],
      added: made.added,
      attempts: attempt,
    }
  }
  return { state: 'refused', cause, attempts }
}

const tokensOf = ({ previous }: Plan, entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens, previous?.tokens ?? 0)

interface Hand {
  readonly writing: Writing
  readonly count: (text: string) => number
  readonly author: string
}

function entryOf(
  { text, statements }: Accepted & { readonly ok: true },
  { until, previous }: Plan,
  before: number,
  { writing, count, author }: Hand,
): NewEntry {
  const after = count(text)
  return {
    id: writing.env.id(),
    body: { kind: 'summary', parts: [{ type: 'text', text }], until: until.id },
    text,
    tokens: after,
    at: writing.env.now(),
    author,
    meta: {
      covers: until.depth + 1,
      tokens: [before, after],
      sources: statements.map(({ sources }) => sources),
      ...(previous ? { folds: previous.id } : null),
    },
  }
}

async function attemptOf(
  { brief, measure, finish }: Way,
  summariser: Summariser,
  patienceMs: number,
): Promise<Accepted> {
  const signal = AbortSignal.timeout(patienceMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  late.catch(() => {})
  try {
    const made = accept(brief, await Promise.race([summariser.summarise(brief, signal), late]), measure)
    return made.ok ? finish(made) : made
  } catch {
    // what went wrong inside a summariser is no text for anyone to read later
    return { ok: false, cause: 'summary_failed' }
  }
}

// writes a summary behind whatever was said meanwhile

/** False when the branch no longer leads on from what the summary covers, or another summary covers it. */
async function putSummary(
  source: Source,
  branch: string,
  summary: NewEntry,
  plan: Plan,
  live: boolean,
): Promise<boolean> {
  const { store, workspace, conversation } = source
  const { until, newest, head: seen } = plan
  for (let attempt = 0; attempt < 8; attempt++) {
    const { head } = await store.window(workspace, conversation, branch, { entries: 1 })
    if (!head || head.depth < until.depth || head.summary !== newest) return false
    const isKnown = head.id === seen
    const [first] = isKnown ? [until] : await store.path(workspace, conversation, head.id, head.depth - until.depth + 1)
    if (first?.id !== until.id) return false
    const steps: Step[] = [
      { do: 'append', entries: [summary], options: { branch, expect: head.id, at: summary.at } },
      ...(live ? [{ do: 'emit', events: [entryAdded([summary], branch)], at: summary.at } as const] : []),
    ]
    try {
      await store.commit(workspace, conversation, steps)
      return true
    } catch (error) {
      // someone spoke meanwhile: the summary follows what was said
      if (!HistoryError.is(error) || error.code !== 'head_moved') throw error
    }
  }
  return false
}
