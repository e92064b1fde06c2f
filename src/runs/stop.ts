/** Stopping a run from anywhere: the wish is written down, and the server that runs it looks for it. */
import type { Source } from '../engine/window/window.js'
import type { Step } from '../store/contract/commit.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import type { Run } from './contract.js'
import { refused } from './floor.js'
import { startedFromLine } from './queue.js'
import { runEnded, runKinds } from './run.js'

/** Returns the number of the last event before the wish. `record_moved`: it has left the line at this moment. */
export function askToStop(store: Store, workspace: string, run: Run, at: string): Promise<number> {
  const { id } = run
  if (run.state === 'queued') return endInLine(store, workspace, { ...run, state: 'stopped' }, at)
  return tell(store, workspace, run, [
    { do: 'put-record', record: { kind: runKinds.stop, id, body: { run: id }, at } },
    { do: 'emit', events: [{ type: 'stop-asked', data: { run: id } }], at },
  ])
}

/** Ends a run that waits, with the state and the error that are given. */
export async function endInLine(store: Store, workspace: string, given: Run, at: string): Promise<number> {
  const { id } = given
  const run = { ...given, endedAt: at }
  const line = await store.getRecord(workspace, runKinds.queued, id)
  if (!line) throw refused('record_moved', 'the run has left the line')
  return tell(store, workspace, run, [
    // fails when someone began it meanwhile, who has taken it out of the line
    { do: 'put-record', record: { kind: runKinds.queued, id, body: line.body, at, expect: line.revision } },
    ...startedFromLine(run, at),
    { do: 'emit', events: [runEnded(run)], at },
  ])
}

async function tell(store: Store, workspace: string, { conversation }: Run, steps: readonly Step[]): Promise<number> {
  const { outcomes } = await store.commit(workspace, conversation, steps)
  const [first] = outcomes.at(-1) as readonly StoredEvent[]
  return (first?.number ?? 1) - 1
}

/** How often the wish is looked for, at most. */
const pauseMs = 250

/** Calls back once when someone wants the run to stop. Returns what ends the watch. */
export function heedStops({ store, workspace, conversation }: Source, run: string, stop: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const look = async (): Promise<void> => {
    const wish = await store.getRecord(workspace, runKinds.stop, run).catch(() => null)
    timer = undefined
    if (wish && !over) stop()
  }
  const off = store.watch(workspace, conversation, () => {
    timer ??= setTimeout(look, pauseMs)
  })
  return () => {
    over = true
    clearTimeout(timer)
    off()
  }
}
