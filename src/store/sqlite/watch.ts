/** Wakes watchers: at once for commits of this process, soon for those of others. */
import { newBell } from '../shared/bell.js'
import type { Database } from './driver.js'
import * as side from './side.js'

export interface Watch {
  watch(name: string, wake: () => void): () => void
  ring(name: string): void
  close(): void
}

const everyMs = 100

export function watchOn(db: Database): Watch {
  const bell = newBell()
  let timer: ReturnType<typeof setInterval> | undefined
  let seen: unknown

  /** Changes when another connection has written; whose turn it is, it does not say. */
  const version = (): unknown => {
    try {
      return db.get(side.dataVersion)?.data_version
    } catch {
      // the next look tells
      return seen
    }
  }

  const look = (): void => {
    const before = seen
    seen = version()
    if (seen !== before) bell.ringAll()
  }

  const rest = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(name, wake) {
      const off = bell.watch(name, wake)
      if (timer === undefined && bell.isWatched()) {
        // the first look wakes everyone: whether something was written meanwhile, nobody knows
        seen = undefined
        timer = setInterval(look, everyMs)
        timer.unref()
      }
      return () => {
        off()
        if (!bell.isWatched()) rest()
      }
    },
    ring: bell.ring,
    close: () => {
      rest()
      bell.close()
    },
  }
}
