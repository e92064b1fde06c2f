/** What people decided about single messages, each named by its id. */
import { type Plan, rawId, Walk } from './walk.js'

/** Messages that a person has singled out, by id. */
export interface Marks {
  /** They stay whatever the cut does, in a share of the limits. */
  readonly pinned?: readonly string[]
  /** They are never sent. */
  readonly excluded?: readonly string[]
  /** They are neither clipped nor folded. */
  readonly whole?: readonly string[]
}

export interface Marked {
  readonly pinned: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
  readonly whole: ReadonlySet<string>
}

/** Null when nothing is marked; what is excluded is not pinned. */
export function markedOf(marks: Marks | undefined): Marked | null {
  const { pinned = [], excluded = [], whole = [] } = marks ?? {}
  if (pinned.length + excluded.length + whole.length === 0) return null
  const out = new Set(excluded)
  return { pinned: new Set(pinned.filter((id) => !out.has(id))), excluded: out, whole: new Set(whole) }
}

/** Where the message with an id stands. */
export type Where = (id: string) => number | undefined

/** Looks through the whole history at the first question; of several with one id the newest counts. */
export function whereIn(messages: readonly unknown[], plan: Plan): Where {
  let places: Map<string, number> | undefined
  return (id) => {
    places ??= placesOf(messages, plan)
    return places.get(id)
  }
}

function placesOf(messages: readonly unknown[], plan: Plan): Map<string, number> {
  const places = new Map<string, number>()
  const walk = new Walk(messages, plan, 0, null)
  for (let index = 0; index < messages.length; index++) {
    const { admitted } = walk.record(index)
    // a message that may not speak has its place all the same
    const id = admitted.ok ? admitted.item.id : rawId(messages[index])
    if (typeof id === 'string') places.set(id, index)
  }
  return places
}
