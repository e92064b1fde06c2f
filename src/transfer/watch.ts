/** Goes on importing what changes below a path, until it is told to stop. */
import { watch } from 'node:fs'
import { type ImportEvent, type ImportRequest, importFrom } from './import.js'
import type { WriteTarget } from './write/write.js'

/** What has changed is read when it has been quiet for so long. */
const quietMs = 300
/** Looked at anyway: for changes that nobody told of, and for messages that were unfinished. */
const roundMs = 15_000

/** The first round reads everything, the next ones only files that have changed. Each round ends with its report. */
export async function* watchFrom(target: WriteTarget, request: ImportRequest): AsyncGenerator<ImportEvent> {
  const seen = new Map<string, string>()
  const bell = openBell(request.path, request.signal)
  const wants: ImportRequest['wants'] = ({ name, stamp, live }) => {
    const now = `${stamp} ${live}`
    if (seen.get(name) === now) return false
    seen.set(name, now)
    return true
  }
  try {
    while (!request.signal?.aborted) {
      yield* importFrom(target, { ...request, wants })
      await bell.rung()
    }
  } finally {
    bell.close()
  }
}

/** Rings after a change, after a while, and when it is over. */
function openBell(path: string, signal: AbortSignal | undefined) {
  let isRung = false
  let wake = (): void => undefined
  const ring = (): void => {
    isRung = true
    wake()
  }
  let quiet: NodeJS.Timeout | undefined
  const watcher = watch(path, { recursive: true, persistent: true }, () => {
    clearTimeout(quiet)
    quiet = setTimeout(ring, quietMs)
  })
  // a folder that can no longer be watched is still looked at now and then
  watcher.on('error', () => watcher.close())
  const round = setInterval(ring, roundMs)
  signal?.addEventListener('abort', ring)
  return {
    async rung(): Promise<void> {
      if (!isRung && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
    },
    close(): void {
      clearTimeout(quiet)
      clearInterval(round)
      signal?.removeEventListener('abort', ring)
      watcher.close()
    },
  }
}
