/** Takes the words of what was removed out of the index, in the background and in short transactions. */
import { nextTurn } from '../shared/turn.js'
import type { Database } from './driver.js'
import type { CommitGroup } from './group.js'
import { tableAt } from './parts.js'
import * as side from './side.js'

export type Purge = ReturnType<typeof purging>

/** What an earlier process left to do is done so long after the file was opened. */
export const restMs = 1_000
/** What one transaction may do, so that nobody waits long for it. */
const slice = { entries: 50, ms: 10 }

export function purging(db: Database, group: CommitGroup) {
  let running: Promise<void> | null = null
  let isOpen = true

  /** Whether there is more to do. */
  const some = (): boolean => {
    const began = performance.now()
    const places = db.all(side.gonePlaces, { limit: slice.entries })
    for (const { place } of places) {
      db.run(side.strikeOut(tableAt(db, place as number)), { place: place as number })
      db.run(side.forgetGone, { place: place as number })
      if (performance.now() - began > slice.ms) return true
    }
    return places.length === slice.entries
  }
  const isAnyLeft = (): boolean => db.get(side.gonePlaces, { limit: 1 }) !== undefined

  const work = async (): Promise<void> => {
    try {
      for (let more = await group.look(isAnyLeft); more && isOpen; ) {
        more = await group.write(some)
        // those who wait get their turn
        await nextTurn()
      }
    } finally {
      running = null
    }
  }
  /** Resolves when no removed word is left in the index; rejects when the file cannot be written to. */
  const whole = (): Promise<void> => {
    running ??= work()
    return running
  }
  /** The same, and nobody waits for it: what fails is done with the next removal. */
  const soon = (): void => void whole().catch(() => {})
  const timer = setTimeout(soon, restMs)
  timer.unref()

  return {
    whole,
    soon,
    /** No new transaction begins after it. */
    end: () => {
      isOpen = false
      clearTimeout(timer)
    },
  }
}
