/** Where a list of messages goes on from a path, and what of it is new. */
import { isInterrupted } from '../../engine/window/entries.js'
import type { Entry, NewEntry } from '../../store/contract/entry.js'
import { canonical } from '../../store/shared/gate.js'
import { type UiLine, uiLines } from './lines.js'
import { callIdOf, type Head } from './message.js'

export interface Difference {
  /** The last entry that both have; null when they have none. */
  readonly at: string | null
  readonly added: readonly NewEntry[]
}

/** Results are known by their calls, in whatever order they came; one that is new changes nothing that was said before. */
export function differ(path: readonly Entry[], incoming: readonly NewEntry[]): Difference {
  const [old, now] = [uiLines(path), uiLines(incoming)]
  const [before, after] = [resultsIn(old), resultsIn(now)]
  const closed = closedOn(path)
  const steps = old.filter((line) => line.kind === 'step')
  const added: NewEntry[] = []
  let known = 0
  let differs = false
  for (const line of now) {
    if (line.kind === 'result') {
      if (differs || !(before.has(line.callId) || closed.has(line.callId))) added.push(line.entry)
      continue
    }
    const stored = steps[known]
    differs ||= stored !== undefined && !(isSame(stored, line) && isKept(line, before, after))
    if (!differs && stored) known++
    else added.push(line.entry)
  }
  const next = steps[known]
  const last = next ? path[path.findIndex(({ id }) => id === next.entry.id) - 1] : path.at(-1)
  return { at: last?.id ?? null, added }
}

type StepLine = Extract<UiLine, { kind: 'step' }>
type Results = ReadonlyMap<string, Head>

const resultsIn = (lines: readonly UiLine[]): Results =>
  new Map(lines.flatMap((line) => (line.kind === 'result' ? [[line.callId, line.fields]] : [])))

/** Calls that the log has closed by itself stay closed. */
const closedOn = (path: readonly Entry[]): ReadonlySet<string> =>
  new Set(path.flatMap((entry) => (entry.body.kind === 'result' && isInterrupted(entry) ? [entry.body.callId] : [])))

const isSame = (one: StepLine, other: StepLine): boolean =>
  canonical([one.head, one.parts]) === canonical([other.head, other.parts])

/** What its calls were answered with is what they are answered with. */
const isKept = ({ parts }: StepLine, before: Results, after: Results): boolean =>
  parts.every((part) => {
    const call = callIdOf(part)
    const answer = typeof call === 'string' ? before.get(call) : undefined
    return answer === undefined || canonical(answer) === canonical(after.get(call as string) ?? null)
  })
