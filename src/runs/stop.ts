/** Stopping a run from anywhere: the wish is written down, and the server that runs it looks for it. */
import type { Source } from '../engine/window/window.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import type { Run } from './contract.js'
import { refused } from './floor.js'
import { runEnded, runKinds } from './run.js'

/** Returns the number of the last event before the wish. `record_moved`: it has left the line at this moment. */
export async function askToStop(store: Store, workspace: string, run: Run, at: string): Promise<number> {
  const { id, conversation } = run
  const line = run.state === 'queued' ? await store.getRecord(workspace, runKinds.queued, id) : null
  if (run.state === 'queued' && !line) throw refused('record_moved', 'the run has left the line')
  const stopped: Run = { ...run, state: 'stopped', endedAt: at }
  const { outcomes } = await store.commit(
    workspace,
    conversation,
    line
      ? [
          // fails when someone began it meanwhile, who has taken it out of the line
          { do: 'put-record', record: { kind: runKinds.queued, id, body: line.body, at, expect: line.revision } },
          { do: 'put-record', record: { kind: runKinds.run, id, body: { run: stopped }, at, expect: null } },
          { do: 'remove-record', kind: runKinds.queued, id },
          { do: 'emit', events: [runEnded(stopped)], at },
        ]
      : [
          { do: 'put-record', record: { kind: runKinds.stop, id, body: { run: id }, at } },
          { do: 'emit', events: [{ type: 'stop-asked', data: { run: id } }], at },
        ],
  )
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
