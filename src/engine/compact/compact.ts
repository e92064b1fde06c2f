/** Compaction: what no longer fits the window gets a summary, off the hot path. Whatever fails, nothing changes. */
import { partsSize } from '../../core/size.js'
import type { NewEntry } from '../../store/entry.js'
import type { Writing } from '../entries.js'
import type { Source, WindowRequest } from '../window.js'
import { type Accepted, accept } from './accept.js'
import type { Brief, Cause, Compacted, Summariser } from './contract.js'
import { extractive } from './extract.js'
import { saidIn, statementsOf } from './material.js'
import { planOf } from './plan.js'
import { put } from './put.js'

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

/** Of the budget: what is asked of the summariser, and the most with what must not vanish. */
const share = { asked: 0.12, of: 0.22, least: 160, most: 6_000 }
/** A summary that is hardly smaller than what it stands for is none. */
const smaller = 0.8
const attempts = 2
const wordsPerToken = 0.55

export async function compact(source: Source, writing: Writing, request: CompactRequest): Promise<Compacted> {
  const { branch = 'main', summariser = extractive, patienceMs = 60_000 } = request
  const plan = await planOf(source, branch, request)
  if (!plan) return { state: 'unneeded' }
  const { entries, previous, until } = plan
  const count = (text: string): number => partsSize([{ type: 'text', text }], writing.scale).tokens
  const before = entries.reduce((sum, { tokens }) => sum + tokens, previous?.tokens ?? 0)
  const within = (part: number): number =>
    Math.floor(Math.min(Math.max(plan.budget * part, share.least), share.most, before * smaller))
  const most = within(share.of)
  const brief: Brief = {
    previous: previous ? statementsOf(previous) : [],
    said: saidIn(entries),
    words: Math.max(20, Math.floor(within(share.asked) * wordsPerToken)),
  }
  if (brief.said.length === 0) return { state: 'unneeded' }
  let cause: Cause = 'summary_failed'
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const made = await attemptOf(brief, summariser, { count, most }, patienceMs)
    if (!made.ok) {
      cause = made.cause
      continue
    }
    const after = count(made.text)
    const summary: NewEntry = {
      id: writing.env.id(),
      body: { kind: 'summary', parts: [{ type: 'text', text: made.text }], until: until.id },
      text: made.text,
      tokens: after,
      at: writing.env.now(),
      author: summariser.author,
      meta: {
        covers: until.depth + 1,
        tokens: [before, after],
        sources: made.statements.map(({ sources }) => sources),
        ...(previous ? { folds: previous.id } : null),
      },
    }
    if (!(await put(source, branch, summary, plan, request.live === true)))
      return { state: 'refused', cause: 'summary_overtaken', attempts: attempt }
    const tokens = [before, after] as const
    return {
      state: 'done',
      entry: summary.id,
      until: until.id,
      covers: until.depth + 1,
      tokens,
      added: made.added,
      attempts: attempt,
    }
  }
  return { state: 'refused', cause, attempts }
}

async function attemptOf(
  brief: Brief,
  summariser: Summariser,
  measure: Parameters<typeof accept>[2],
  patienceMs: number,
): Promise<Accepted> {
  const signal = AbortSignal.timeout(patienceMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  late.catch(() => {})
  try {
    return accept(brief, await Promise.race([summariser.summarise(brief, signal), late]), measure)
  } catch {
    // what went wrong inside a summariser is no text for anyone to read later
    return { ok: false, cause: 'summary_failed' }
  }
}
