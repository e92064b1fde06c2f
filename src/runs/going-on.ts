/** Letting a run go on: with decisions about the calls that wait, or from where it was cut off. */
import { openCalls } from '../engine/open-calls.js'
import type { Source } from '../engine/window/window.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Run, RunEvent, RunRequest } from './contract.js'
import { refused } from './floor.js'
import { type RunBody, runKinds } from './run.js'
import type { Decisions } from './tools/calls.js'

interface GoingOn {
  readonly run: Run
  /** What to start now; null while other calls wait. */
  readonly next: RunRequest | null
}

/** Of two that decide about the last call at once, one starts what follows. */
export async function decide(source: Source, id: string, decisions: Decisions, at: string): Promise<GoingOn> {
  const { record, body } = await keptRun(source, id)
  const { run, request } = body
  if (run.state !== 'waiting' || !request) throw illegal(id, `the run is ${run.state}: it does not wait for a decision`)
  for (const call of Object.keys(decisions))
    if (!run.waiting.some((one) => one.id === call))
      throw refused('not_found', 'there is no such call among those that wait', { field: 'call_id', value: call })
  const open = await openAt(source, run.branch)
  if (!run.waiting.every((call) => open.includes(call.id)))
    throw illegal(id, 'the conversation has gone on without these calls')
  const waiting = run.waiting.filter((call) => !(call.id in decisions))
  const next = { ...request, decisions: { ...request.decisions, ...decisions } }
  const state = waiting.length > 0 ? 'waiting' : 'done'
  const decided: Run = { ...run, state, waiting }
  const kept: RunBody = { run: decided, request: next }
  const news = Object.entries(decisions).map(
    ([call, { verdict }]): RunEvent => ({ type: 'approval-given', data: { run: id, id: call, verdict } }),
  )
  await source.store.commit(source.workspace, source.conversation, [
    { do: 'put-record', record: { kind: runKinds.run, id, body: kept, at, expect: record.revision } },
    { do: 'emit', events: news, at },
  ])
  return { run: decided, next: waiting.length > 0 ? null : { ...next, spent: spentBy(run, request) } }
}

/** What it was asked with, to be started again. */
export async function resumed(source: Source, id: string): Promise<RunRequest> {
  const { run, request } = (await keptRun(source, id)).body
  if (!request) throw illegal(id, `the run is ${run.state}, and there is nothing to go on with`)
  if (run.state === 'waiting') throw illegal(id, 'the run waits for decisions about its calls')
  // its calls were decided about, and the server went away before it went on
  if (run.state === 'done' && (await openAt(source, run.branch)).length === 0) throw illegal(id, 'the run has gone on')
  return request
}

async function openAt(source: Source, branch: string): Promise<readonly string[]> {
  const { head } = await source.store.window(source.workspace, source.conversation, branch, { entries: 0 })
  return head ? openCalls(source, head) : []
}

const spentBy = ({ steps, usage }: Run, { spent }: RunRequest): NonNullable<RunRequest['spent']> => ({
  steps: steps + (spent?.steps ?? 0),
  tokens: (usage?.input ?? 0) + (usage?.output ?? 0) + (spent?.tokens ?? 0),
})

async function keptRun(
  { store, workspace, conversation }: Source,
  id: string,
): Promise<{ readonly record: StoredRecord; readonly body: RunBody }> {
  const record = await store.getRecord(workspace, runKinds.run, id)
  if (!record || record.conversation !== conversation)
    throw refused('not_found', 'there is no such run', { field: 'run_id', value: id })
  return { record, body: record.body as RunBody }
}

const illegal = (run: string, message: string) => refused('illegal_move', message, { field: 'run_id', value: run })
