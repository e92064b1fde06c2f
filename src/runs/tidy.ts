/** After an answer: what its window had to leave out, or the next would, gets a summary, so that the next one knows of it. */
import type { Issue } from '../core/message/issue.js'
import { compact } from '../engine/compact/compact.js'
import type { Compacted } from '../engine/compact/contract.js'
import type { Source, Windowed } from '../engine/window/window.js'
import { writingOf } from '../engine/writing.js'
import { rowOf } from './ask.js'
import type { Setting } from './begin.js'
import type { RunRequest } from './contract.js'
import type { Floor } from './floor.js'
import { summariserOf } from './summarise.js'

export interface Tidy {
  readonly source: Source
  readonly setting: Setting
  readonly request: RunRequest
  readonly branch: string
  /** The window that the answer was given to. */
  readonly made: Windowed & { ok: true }
}

const nameOf = ({ workspace, conversation }: Source): string => `${workspace}\0${conversation}`

/** Tidies, and tells what came of it: a summary that was refused leaves a trace with whoever looks for one. */
export async function summarised(floor: Floor, work: Tidy): Promise<void> {
  const { options, env, unsummarised } = floor
  const { source } = work
  const outcome = await tidy(floor, work).catch((): Compacted => ({ ...failed }))
  if (outcome.state === 'unneeded') return
  options.summarised?.(outcome, { workspace: source.workspace, conversation: source.conversation })
  if (outcome.state === 'done') return unsummarised.set(nameOf(source), null)
  const { cause, attempts } = outcome
  // someone else wrote one meanwhile
  if (cause === 'summary_overtaken') return
  unsummarised.set(nameOf(source), cause)
  const events = [{ type: 'summary-refused', data: { cause, attempts } }]
  await source.store.commit(source.workspace, source.conversation, [{ do: 'emit', events, at: env.now() }])
}

const failed = { state: 'refused', cause: 'summary_failed', attempts: 1 } as const

/** What the next answer of the conversation is told, as long as no summary has been accepted since. */
export function refusedSummary({ unsummarised }: Floor, source: Source): Issue[] {
  const cause = unsummarised.get(nameOf(source))
  if (!cause) return []
  const message = `no summary stands for what was left out (${cause}); the oldest messages are left out without one`
  return [{ code: 'summary.refused', field: 'policy.strategy', value: cause, message }]
}

/** One at a time for each conversation; whatever goes wrong, the conversation is as it was. */
export async function tidy(floor: Floor, { source, setting, request, branch, made }: Tidy): Promise<Compacted> {
  const { env, options, tidying } = floor
  const { model, policy } = setting
  const name = nameOf(source)
  const missing = made.receipt.lines.some(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
  if (!(missing || isFull(made)) || options.compaction === 'off' || tidying.has(name)) return { state: 'unneeded' }
  tidying.add(name)
  try {
    const byModel = model.kind !== 'builtin' && options.compaction !== 'extractive'
    return await compact(source, writingOf(env, model.id), {
      branch,
      policy,
      model: model.id,
      models: [rowOf(model)],
      live: true,
      ...(request.budget === undefined ? null : { budget: request.budget }),
      ...(request.overrides && { overrides: request.overrides }),
      // the share that is left to what is recalled is missing from the tail here, too
      ...(options.recaller !== null && { recall: { items: [] } }),
      ...(byModel && { summariser: summariserOf(model) }),
    })
  } finally {
    tidying.delete(name)
  }
}

/** The next window may have to leave something out. */
const isFull = ({ receipt: { budget } }: Tidy['made']): boolean =>
  budget.free !== null && budget.tokens !== null && budget.free < budget.tokens / 4
