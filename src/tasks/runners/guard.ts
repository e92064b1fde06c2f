/** No agent outlives this process: when it exits, or is asked to by a signal, the groups it started go first. */
import { killStrays, signalGroup } from './group.js'

const guarded = new Map<number, string>()
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Until the returned function is called. */
export function guard(pid: number, agent: string): () => void {
  if (guarded.size === 0) watch()
  guarded.set(pid, agent)
  return () => {
    if (guarded.delete(pid) && guarded.size === 0) unwatch()
  }
}

function watch(): void {
  process.on('exit', endAll)
  for (const signal of signals) process.on(signal, onSignal)
}

function unwatch(): void {
  process.off('exit', endAll)
  for (const signal of signals) process.off(signal, onSignal)
}

function endAll(): void {
  for (const [pid, agent] of guarded) {
    signalGroup(pid, 'SIGKILL')
    killStrays(agent)
  }
}

/** A program with a handler of its own decides when to exit; without one the signal does what it always did. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  endAll()
  unwatch()
  process.kill(process.pid, signal)
}
