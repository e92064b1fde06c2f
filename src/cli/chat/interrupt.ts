/** Ctrl-C while something is under way: the first asks it to stop, the second does not wait. */
import { exits } from '../kit/failure.js'

/** Returns what gives Ctrl-C back to whom it was. */
export function onInterrupt(stop: () => void): () => void {
  const before = process.listeners('SIGINT')
  let times = 0
  const heed = (): void => {
    if (++times > 1) process.exit(exits.interrupted)
    stop()
  }
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', heed)
  return () => {
    process.removeAllListeners('SIGINT')
    for (const one of before) process.on('SIGINT', one)
  }
}
