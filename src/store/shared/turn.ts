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
