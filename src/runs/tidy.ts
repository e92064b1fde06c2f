/** After an answer: what its window had to leave out, or the next would, gets a summary, so that the next one knows of it. */
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

/** One at a time for each conversation; whatever goes wrong, the conversation is as it was. */
export async function tidy(floor: Floor, { source, setting, request, branch, made }: Tidy): Promise<Compacted> {
  const { env, options, tidying } = floor
  const { model, policy } = setting
  const name = `${source.workspace}\0${source.conversation}`
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
