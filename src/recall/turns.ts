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
