/** A value that tells when it changes. */
import { useRef, useSyncExternalStore } from 'react'

export interface Box<T> {
  get(): T
  /** Fields that differ replace those that were there; a change that changes nothing is not told. */
  set(change: Partial<T>): void
  listen(tell: () => void): () => void
}

export function boxOf<T extends object>(first: T, draw: (tell: () => void) => void = (tell) => tell()): Box<T> {
  const told = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set(change) {
      const differs = Object.entries(change).some(([name, field]) => value[name as keyof T] !== field)
      if (!differs) return
      value = { ...value, ...change }
      draw(() => {
        for (const tell of told) tell()
      })
    },
    listen(tell) {
      told.add(tell)
      return () => told.delete(tell)
    },
  }
}

export function useBox<T, Part = T>(box: Box<T>, pick: (value: T) => Part = (value) => value as unknown as Part): Part {
  const kept = useRef<readonly [T, Part] | null>(null)
  return useSyncExternalStore(box.listen, () => {
    const value = box.get()
    if (kept.current?.[0] !== value) kept.current = [value, pick(value)]
    return kept.current[1]
  })
}

/** At most once a frame, however often it is asked for. */
export function eachFrame(): (tell: () => void) => void {
  let waiting = false
  return (tell) => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      tell()
    })
  }
}

/** One at a time; asked for meanwhile, it is done once more. */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let now: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    now = work().finally(() => {
      now = null
    })
    return now
  }
  return () => {
    if (!now) return start()
    next ??= now
      .catch(() => {})
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
