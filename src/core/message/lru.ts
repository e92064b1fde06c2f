/** A map of bounded size: the entry that was not used for the longest time goes first. */
export interface Lru<T> {
  get(name: string): T | undefined
  set(name: string, value: T): void
  drop(name: string): void
}

/** `most` is the sum of what all values weigh; the newest stays, whatever it weighs. */
export function lru<T>(most: number, weigh: (value: T) => number = () => 1): Lru<T> {
  const known = new Map<string, { readonly value: T; readonly weight: number }>()
  let sum = 0
  const drop = (name: string): void => {
    sum -= known.get(name)?.weight ?? 0
    known.delete(name)
  }
  return {
    drop,
    get(name) {
      const found = known.get(name)
      if (found === undefined) return undefined
      known.delete(name)
      known.set(name, found)
      return found.value
    },
    set(name, value) {
      drop(name)
      const weight = weigh(value)
      sum += weight
      known.set(name, { value, weight })
      for (const oldest of known.keys()) {
        if (sum <= most || known.size === 1) return
        drop(oldest)
      }
    },
  }
}
