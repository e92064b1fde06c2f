/** Where a turn is held: with everything else, or in a store of its own that goes with it. */
import { type Mark, markEntry } from '../../engine/window/entries.js'
import type { Runs } from '../../runs/contract.js'
import { openRuns } from '../../runs/runs.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { callsOf, unlinked } from '../../store/shared/link.js'
import type { ServiceFrame } from '../kit/context.js'

export interface Setup {
  readonly store: Store
  readonly runs: Runs
  /** False: nothing of it can be found again. */
  readonly kept: boolean
}

export const keptDesk = ({ store, runs }: ServiceFrame): Setup => ({ store, runs, kept: true })

/** The same run engine over a store that nobody else has. */
export function scratchDesk({ models, policy, env, recaller }: ServiceFrame): Setup {
  const store = memoryStore()
  return { store, runs: openRuns({ store, models, policy, env, recaller, compaction: 'off' }), kept: false }
}

/** Entries at once, as a store takes them. */
const batch = 1_000

/** The name of what is laid out. */
export const scratch = 'scratch'

/** Lays out what came before, so that it is read like any other history. */
export async function layOut(
  store: Store,
  workspace: string,
  path: readonly Entry[],
  marks: readonly Mark[],
  at: string,
): Promise<void> {
  const source = { store, workspace, conversation: scratch }
  await store.create(workspace, { id: scratch, title: scratch, at })
  const calls = new Set(path.flatMap(({ body }) => callsOf(body)))
  const entries = path
    .filter(({ body, redacted }) => !redacted && (body.kind !== 'result' || calls.has(body.callId)))
    .map(unlinked)
  for (let from = 0; from < entries.length; from += batch)
    await store.append(workspace, scratch, entries.slice(from, from + batch), { branch: 'main', at })
  for (const { entry, ...mark } of marks) await markEntry(source, entry, mark, at)
}
