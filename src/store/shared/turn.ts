import { digest } from './runtime.js'

// the real one, whatever a test puts in its place later; browsers have none
const later: (work: () => void) => unknown = globalThis.setImmediate ?? setTimeout
const drained: (work: () => void) => unknown = globalThis.process?.nextTick ?? later
const waiting: (() => void)[] = []

/** When those who waited were woken last, and whether they will be again. */
let [began, isComing] = [0, false]
const isLate = (): boolean => performance.now() - began >= 10

/** Others have their turn. Of all who wait only so many go on in one turn of the loop that their work does not add up. */
export const nextTurn = (): Promise<void> =>
  new Promise((wake) => {
    waiting.push(wake)
    if (!isComing) later(wakeSome)
    isComing = true
  })

function wakeSome(): void {
  began = performance.now()
  wakeOne()
}

function wakeOne(): void {
  waiting.shift()?.()
  // when who was woken has done its work
  queueMicrotask(() => drained(goOn))
}

function goOn(): void {
  isComing = waiting.length > 0
  if (isComing) isLate() ? later(wakeSome) : wakeOne()
}

/** One after another; others have their turn whenever the work has taken its time. */
export async function mapSlowly<T, R>(all: Iterable<T>, work: (one: T, at: number) => R | Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const one of all) {
    done.push(await work(one, done.length))
    if (isLate()) await nextTurn()
  }
  return done
}

/** Work that is done one at a time for each name of an owner, whatever became of the work before it. */
export function createTurns(): <T>(owner: object, name: string, work: () => Promise<T>) => Promise<T> {
  const lines = new WeakMap<object, Map<string, Promise<unknown>>>()
  return (owner, name, work) => {
    const own = lines.get(owner) ?? new Map<string, Promise<unknown>>()
    lines.set(owner, own)
    const turn = (own.get(name) ?? Promise.resolve()).then(work, work)
    own.set(name, turn)
    const leave = (): void => void (own.get(name) === turn && own.delete(name))
    turn.then(leave, leave)
    return turn
  }
}

// Wakes those who watch a conversation: only a hint that there is something new to read.

interface Bell {
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
