/** What a key has under way ends with the key: its streams and its runs, within a second, on every replica. */
import { getEventListeners, setMaxListeners } from 'node:events'
import type { Runs } from '../runs/contract.js'
import type { ServiceFrame } from './kit/context.js'

export interface ServiceStanding {
  /** The frame for the requests of a key: its streams end and its runs are stopped when the key is revoked. */
  frameOf(key: string): ServiceFrame
  isRevoked(key: string): boolean
  close(): void
}

interface Held {
  readonly frame: ServiceFrame
  readonly revoked: AbortController
  /** Fires with either: the key is revoked, or the service closes. */
  readonly ending: AbortController
}

/** How often the keys are looked at that have something under way. */
const everyMs = 400
const most = 10_000

/** `isGood` says whether a key is known and not revoked. */
export function openStanding(frame: ServiceFrame, isGood: (key: string) => Promise<boolean>): ServiceStanding {
  const held = new Map<string, Held>()
  const isIdle = ({ ending, revoked }: Held): boolean =>
    getEventListeners(ending.signal, 'abort').length + getEventListeners(revoked.signal, 'abort').length === 0

  const hold = (key: string): Held => {
    const [revoked, ending] = [new AbortController(), new AbortController()]
    for (const { signal } of [revoked, ending]) setMaxListeners(0, signal)
    const runs = endingWith(frame.runs, revoked.signal)
    const made: Held = { frame: { ...frame, runs, closing: ending.signal }, revoked, ending }
    if (frame.closing.aborted) ending.abort()
    if (held.size >= most) for (const [other, one] of held) if (isIdle(one)) held.delete(other)
    held.set(key, made)
    return made
  }

  const look = async (): Promise<void> => {
    for (const [key, one] of held) {
      if (one.revoked.signal.aborted || isIdle(one)) continue
      // a store that does not answer says nothing about the key
      if (await isGood(key).catch(() => true)) continue
      one.revoked.abort()
      one.ending.abort()
    }
  }
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await look()
    looking = false
  }, everyMs)
  timer.unref()
  const end = (): void => {
    for (const { ending } of held.values()) ending.abort()
  }
  frame.closing.addEventListener('abort', end, { once: true })

  return {
    frameOf: (key) => (held.get(key) ?? hold(key)).frame,
    isRevoked: (key) => held.get(key)?.revoked.signal.aborted ?? false,
    close: () => clearInterval(timer),
  }
}

/** Stops the runs that are started here when the signal fires. */
function endingWith(runs: Runs, revoked: AbortSignal): Runs {
  return {
    ...runs,
    async start(request) {
      const started = await runs.start(request)
      if (started.repeated) return started
      const stop = (): void => {
        runs.stop(request.workspace, request.conversation, started.run.id).catch(() => undefined)
      }
      revoked.addEventListener('abort', stop, { once: true })
      const over = (): void => revoked.removeEventListener('abort', stop)
      started.ended.then(over, over)
      if (revoked.aborted) stop()
      return started
    },
  }
}
