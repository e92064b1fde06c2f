/** A map of bounded size: the entry that was not used for the longest time goes first. */
export interface Lru<T> {
  get(name: string): T | undefined
  set(name: string, value: T): void
}

export function lru<T>(most: number): Lru<T> {
  const known = new Map<string, T>()
  const put = (name: string, value: T) => {
    known.delete(name)
    known.set(name, value)
  }
  return {
    get(name) {
      const value = known.get(name)
      if (value !== undefined) put(name, value)
      return value
    },
    set(name, value) {
      put(name, value)
      if (known.size > most) known.delete(known.keys().next().value as string)
    },
  }
}
