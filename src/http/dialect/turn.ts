/** One run that a client of any dialect asked for: what it says while it goes on, and what came of it. */
import type { Part } from '../../core/message/item.js'
import type { Usage } from '../../models/wire/contract.js'
import type { Run, RunEvent, Started } from '../../runs/contract.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Context } from '../kit/context.js'
import { runIdIn } from '../live/event-frame.js'
import { problemOfRun } from '../live/failed.js'
import { beginningOf } from '../live/stream.js'
import { keptDesk, type Setup } from './desk.js'

export interface Turn extends Setup {
  readonly workspace: string
  readonly run: Run
  /** The number of the last event before the run's first. */
  readonly after: number
  /** The run when it is over. */
  readonly ended: () => Promise<Run>
}

type Asked = Pick<Context, 'frame' | 'request' | 'workspace'>

export async function turnOf(asked: Asked, desk: Setup, { run, after, repeated, ended }: Started): Promise<Turn> {
  ended.catch(() => {})
  const before = repeated ? ((await beginningOf(asked, run, undefined)) ?? after) : after
  return { ...desk, workspace: asked.workspace, run, after: before, ended: () => ended }
}

/** A run that was begun earlier, perhaps elsewhere, told from its beginning. */
export async function turnAgain(asked: Asked, run: Run): Promise<Turn> {
  const desk = keptDesk(asked.frame)
  const after = (await beginningOf(asked, run, undefined)) ?? 0
  const turn: Turn = { ...desk, workspace: asked.workspace, run, after, ended: () => endOf(turn) }
  return turn
}

/** What happens in the run, to its end. */
export async function* eventsOf(
  { runs, workspace, run, after }: Turn,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const event of runs.follow(workspace, run.conversation, after, signal)) {
    if (runIdIn(event) !== run.id) continue
    yield event
    if (event.type === 'run-ended') return
  }
}

async function endOf(turn: Turn): Promise<Run> {
  for await (const event of eventsOf(turn, new AbortController().signal))
    if (event.type === 'run-ended') return event.data.run
  return turn.run
}

/** A run as it stands, with its answer and the tokens of both ways. */
export interface Answered {
  readonly run: Run
  readonly entry: Entry | null
  readonly parts: readonly Part[]
  /** As the provider counted, or as we did where it said nothing. */
  readonly usage: Usage
}

export async function answerOf({ store, workspace }: Pick<Turn, 'store' | 'workspace'>, run: Run): Promise<Answered> {
  const entry = run.entry === null ? null : await store.entry(workspace, run.conversation, run.entry)
  const parts = entry?.body.kind === 'message' && !entry.redacted ? entry.body.parts : []
  return {
    run,
    entry,
    parts,
    usage: run.usage ?? { input: await sent(store, workspace, run), output: entry?.tokens ?? 0 },
  }
}

async function sent(store: Setup['store'], workspace: string, { receipt }: Run): Promise<number> {
  const found = receipt === null ? null : await store.getReceipt(workspace, receipt)
  const { budget } =
    (found?.body as { readonly receipt?: { readonly budget?: { readonly used?: number } } })?.receipt ?? {}
  return budget?.used ?? 0
}

/** Waits for the end. Whoever leaves a turn that nobody keeps has stopped it. */
export async function finished({ request }: Asked, turn: Turn): Promise<Answered> {
  const leave = () => void stop(turn)
  if (!turn.kept) request.signal.addEventListener('abort', leave, { once: true })
  try {
    const run = await turn.ended()
    if (run.state !== 'done' && run.state !== 'stopped') throw failedTurn(turn, run)
    return await answerOf(turn, run)
  } finally {
    request.signal.removeEventListener('abort', leave)
  }
}

export const stop = ({ runs, workspace, run }: Turn): Promise<unknown> =>
  runs.stop(workspace, run.conversation, run.id).catch(() => {})

/** The message stays where the run was kept: a client that tries again by itself would say it twice. */
export function failedTurn({ kept }: Pick<Turn, 'kept'>, run: Run) {
  const problem = problemOfRun(run)
  return kept ? problem.with({ headers: { 'x-should-retry': 'false' } }) : problem
}
