/** What is kept of a response beside its run: how it was asked for. */
import { redactEntry } from '../../../engine/redact.js'
import type { Run } from '../../../runs/contract.js'
import type { Context } from '../../kit/context.js'
import { Problem } from '../../kit/problem.js'
import type { Echo } from './body.js'

type At = Pick<Context, 'frame' | 'workspace'>

interface Kept {
  readonly run: string
  readonly echo: Echo
  /** Items that came with the request. */
  readonly inputs: number
  /** No conversation was named: it began with this response, or with one before it. */
  readonly own: boolean
}

export interface Response extends Omit<Kept, 'run'> {
  readonly run: Run
}

const kind = 'response'

export const responseId = ({ id }: Run): string => `resp_${id.replace(/^run_/, '')}`

export async function keepResponse({ frame, workspace }: At, { run, ...rest }: Response): Promise<void> {
  const body: Kept = { run: run.id, ...rest }
  const { conversation } = run
  await frame.store.putRecord(workspace, { kind, id: responseId(run), conversation, body, at: frame.env.now() })
}

export async function findResponse({ frame, workspace }: At, id: string, reason = 'not_found'): Promise<Response> {
  const found = await frame.store.getRecord(workspace, kind, id)
  const body = found?.body as Kept | undefined
  const run = found?.conversation && body ? await frame.runs.get(workspace, found.conversation, body.run) : null
  if (!run || !body) throw new Problem('not_found', { more: { reason } })
  return { ...body, run }
}

/** A conversation that was named keeps what was said in it. */
export async function forgetResponse({ frame, workspace }: At, { run, inputs, own }: Response): Promise<void> {
  await frame.store.removeRecord(workspace, kind, responseId(run))
  if (!own) return
  const asked = run.asked === null ? [] : await frame.store.path(workspace, run.conversation, run.asked, inputs)
  for (const entry of [...asked.map(({ id }) => id), ...(run.entry ? [run.entry] : [])])
    await redactEntry(frame.sources(workspace, run.conversation), entry)
}
