/** A table of what was used lately; the longest unused goes when there are too many. */
export interface Lately<T> {
  get(name: string): T | undefined
  set(name: string, value: T): void
}

export function lately<T>(most: number): Lately<T> {
  const known = new Map<string, T>()
  return {
    get: (name) => known.get(name),
    set(name, value) {
      known.delete(name)
      known.set(name, value)
      if (known.size > most) known.delete(known.keys().next().value as string)
    },
  }
}
