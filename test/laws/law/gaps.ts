/** Markers stand where something is missing. */
import type { WindowItem } from '../../../src/index.js'
import { admittedOf, pieces } from '../trial.js'
import { type Fated, fatesOf, type Law, strings } from './read.js'

/** P-14 */
export const honestMarkers: Law = (trial) => {
  const { items } = trial.result
  const { gap } = trial.policy.fit
  const fates = fatesOf(trial)
  const out: string[] = []
  const admitted = admittedOf(trial)
  // a result goes with its call and is missing where the call is; what intake would refuse is nothing that fit left out
  const follows = (index: number): boolean => {
    const one = admitted[index]
    return one?.ok !== true || (one.item.parts.length === 0 && one.results.length > 0)
  }
  const covered = trial.result.receipt.summary?.messages ?? 0
  // what is recalled is missing from its place, unless a summary stands there
  const isMissing = (one: Fated | undefined, i: number): boolean =>
    one?.fate === 'dropped' ? i >= covered || one.stage !== 'fit' : one?.fate === 'recalled' && i >= covered
  const missing = (from: number, to: number, stage?: string): number =>
    fates.filter(
      (one, i) => i >= from && i < to && isMissing(one, i) && (!stage || (one?.stage === stage && !follows(i))),
    ).length
  // a result behind a pinned message, or what nobody looked at: the receipt tells of them, and so may a marker
  const isTold = (from: number, to: number): boolean =>
    fates.some((one, i) => i >= from && i < to && isMissing(one, i) && one?.stage === 'fit')
  const loose = fates.filter((one, i) => one?.fate === 'dropped' && follows(i)).length
  const isMarker = ({ fate, mark }: WindowItem): boolean => fate === 'marker' && mark !== 'summary' && mark !== 'recall'
  const markers = items.filter(isMarker)
  if (gap.form !== 'message' && markers.length > 0) out.push('a marker no policy asks for')
  if (gap.form === 'prefix') {
    const said = items.filter((item) => item.index !== null)
    // what someone pinned stands before the place where something is missing
    const first = said.find((item) => item.text.startsWith(gap.text)) ?? said[0]
    const has = first?.text.startsWith(gap.text) ?? false
    const due = missing(0, fates.length, 'fit') > 0
    const own =
      first?.index != null &&
      strings(trial.input.messages[first.index]).some((text) => text.trim().startsWith(gap.text.trim()))
    if (first && has !== due && !own)
      out.push(due ? 'no prefix, though messages are missing' : 'a prefix, though nothing is missing')
  }
  if (gap.form === 'message') {
    let from = 0
    let marker: string | null = null
    const close = (to: number): void => {
      const left = missing(from, to, 'fit')
      if (left > 0 && marker === null) out.push(`no marker for ${left} messages between ${from} and ${to}`)
      if (left === 0 && marker !== null && !isTold(from, to))
        out.push(`a marker at ${to}, where fit left nothing out: ${marker}`)
      const said = Number(/\d+/.exec(marker ?? '')?.[0] ?? left)
      if (marker !== null && (said < left || said > missing(from, to) + loose))
        out.push(`${marker} for ${left} to ${missing(from, to)} messages`)
    }
    for (const item of items) {
      if (isMarker(item)) {
        if (marker !== null) out.push('two markers in one place')
        marker = item.text
      } else if (item.index !== null) {
        close(item.index)
        from = item.index + 1
        marker = null
      }
    }
    close(fates.length)
  }
  const wire = pieces(trial)
  for (const { text, role } of markers) {
    if (role === 'user' || wire.some((piece) => piece.role === 'user' && piece.text === text))
      out.push(`the user says ${text}`)
    if (!wire.some((piece) => piece.role !== 'user' && piece.text.includes(text)))
      out.push(`${text} is not on the wire`)
  }
  if (markers.some((item) => item.index !== null)) out.push('a message is taken for a marker')
  return out
}
