/** Where a list of messages goes on from a path, and what of it is new. */
import { isInterrupted } from '../../engine/entries.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import { canonical } from '../../store/gate.js'
import { type Line, linesOf } from './lines.js'

export interface Difference {
  /** The last entry that both have; null when they have none. */
  readonly at: string | null
  /** Nothing of the path is left over behind it. */
  readonly goesOn: boolean
  readonly added: readonly NewEntry[]
}

/** Results are known by their calls, in whatever order they came. */
export function differ(path: readonly Entry[], incoming: readonly NewEntry[]): Difference {
  const said = linesOf(path)
  const steps = said.filter((line) => line.kind === 'step')
  const results = new Map(said.flatMap((line) => (line.kind === 'result' ? [[line.callId, line] as const] : [])))
  const closed = closedOn(path)
  const added: NewEntry[] = []
  let known = 0
  let differs = false
  for (const line of linesOf(incoming)) {
    const stored = line.kind === 'step' ? steps[known] : results.get(line.callId)
    const isKnown = !differs && stored !== undefined && isSame(stored, line)
    if (isKnown && line.kind === 'step') known++
    if (isKnown) continue
    // a call that the log has closed by itself stays closed
    if (line.kind === 'result' && stored === undefined && !differs && closed.has(line.callId)) continue
    differs ||= stored !== undefined
    added.push(line.entry)
  }
  const next = steps[known]
  const last = next ? path[path.findIndex(({ id }) => id === next.entry.id) - 1] : path.at(-1)
  return { at: last?.id ?? null, goesOn: next === undefined && !differs, added }
}

const closedOn = (path: readonly Entry[]): ReadonlySet<string> =>
  new Set(path.flatMap((entry) => (entry.body.kind === 'result' && isInterrupted(entry) ? [entry.body.callId] : [])))

const isSame = (one: Line, other: Line): boolean => canonical(shapeOf(one)) === canonical(shapeOf(other))

const shapeOf = (line: Line): unknown => (line.kind === 'step' ? [line.head, line.parts] : line.fields)
