/** What is kept of a completion that was asked to be stored, beside its run. */
import type { Run } from '../../../runs/contract.js'
import type { StoredRecord } from '../../../store/contract/record.js'
import { paged } from '../../../store/shared/page.js'
import { answerOf } from '../../dialect/turn.js'
import type { Context } from '../../kit/context.js'
import { Problem } from '../../kit/problem.js'
import { completionId, completionOf } from './object.js'

type At = Pick<Context, 'frame' | 'workspace'>

interface Kept {
  readonly run: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface Completion extends Omit<Kept, 'run'> {
  readonly run: Run
}

const kind = 'completion'
const page = 100

export async function keepCompletion({ frame, workspace }: At, { run, metadata }: Completion): Promise<void> {
  const body: Kept = { run: run.id, metadata }
  const { conversation } = run
  await frame.store.putRecord(workspace, { kind, id: completionId(run), conversation, body, at: frame.env.now() })
}

export async function findCompletion(at: At, id: string): Promise<Completion> {
  const record = await at.frame.store.getRecord(at.workspace, kind, id)
  const found = record && (await completionIn(at, record))
  if (found) return found
  throw new Problem('not_found')
}

/** The words stay in the conversation they were said in. */
export const forgetCompletion = ({ frame, workspace }: At, { run }: Completion): Promise<void> =>
  frame.store.removeRecord(workspace, kind, completionId(run))

/** Newest first. */
export async function* completions(at: At): AsyncGenerator<Completion> {
  for await (const record of paged((from) => at.frame.store.records(at.workspace, { kind, limit: page, ...from }))) {
    const one = await completionIn(at, record)
    if (one) yield one
  }
}

export const toldOf = async ({ frame, workspace }: At, { run, metadata }: Completion) =>
  completionOf(await answerOf({ store: frame.store, workspace }, run), true, metadata)

async function completionIn({ frame, workspace }: At, record: StoredRecord): Promise<Completion | null> {
  const body = record.body as Kept
  const run = record.conversation ? await frame.runs.get(workspace, record.conversation, body.run) : null
  return run && { ...body, run }
}
