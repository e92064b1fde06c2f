/** How much of unfinished bodies may wait in memory, for everyone together and for each caller. */
import { Problem } from './problem.js'

export interface Uploads {
  /** Bytes of a body as they arrive; throws when there is no room for them. */
  begin(caller: string): Upload
}

export interface Upload {
  take(bytes: number): void
  /** All of it has come, or no more will. */
  end(): void
}

export interface UploadRoom {
  /** Bytes of all unfinished bodies together. */
  readonly all: number
  /** Bytes of the unfinished bodies of one caller. */
  readonly each: number
}

export function openUploads({ all, each }: UploadRoom): Uploads {
  const held = new Map<string, number>()
  let total = 0
  return {
    begin(caller) {
      let own = 0
      return {
        take(bytes) {
          const before = held.get(caller) ?? 0
          if (before + bytes > each || total + bytes > all) throw full
          own += bytes
          total += bytes
          held.set(caller, before + bytes)
        },
        end() {
          const left = (held.get(caller) ?? 0) - own
          total -= own
          own = 0
          if (left > 0) held.set(caller, left)
          else held.delete(caller)
        },
      }
    },
  }
}

const full = new Problem('rate_limited', {
  detail: 'too much is being uploaded at once; try again when the other uploads are done',
  headers: { 'retry-after': '5', connection: 'close' },
})
