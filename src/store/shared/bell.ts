/** Wakes those who watch a conversation: only a hint that there is something new to read. */
import { digest } from './runtime.js'

export interface Bell {
  /** Returns what ends it. */
  watch(name: string, wake: () => void): () => void
  ring(name: string): void
  /** For when it is not known whose turn it is. */
  ringAll(): void
  isWatched(): boolean
  close(): void
}

/** Names a conversation in few bytes that say nothing about it. */
export const bellName = (workspace: string, conversation: string): string =>
  digest(JSON.stringify([workspace, conversation]))

export function newBell(): Bell {
  const watchers = new Map<string, Set<() => void>>()
  let isOpen = true
  // a callback that throws must not reach the writer whose commit has been made
  const wakeAll = (wakes: Iterable<() => void>): void => {
    for (const wake of wakes) queueMicrotask(wake)
  }
  return {
    watch(name, wake) {
      if (!isOpen) return () => {}
      // the same function may watch twice, and each watch ends by itself
      const one = () => wake()
      const others = watchers.get(name) ?? new Set()
      watchers.set(name, others.add(one))
      return () => {
        others.delete(one)
        if (others.size === 0 && watchers.get(name) === others) watchers.delete(name)
      }
    },
    ring: (name) => wakeAll(watchers.get(name) ?? []),
    ringAll: () => wakeAll([...watchers.values()].flatMap((wakes) => [...wakes])),
    isWatched: () => watchers.size > 0,
    close: () => {
      isOpen = false
      watchers.clear()
    },
  }
}
