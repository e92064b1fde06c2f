/** More room keeps more. */
import { closingCue } from '../../../src/core/mend/order.js'
import { length } from '../../../src/core/text.js'
import type { WindowItem } from '../../../src/index.js'
import { type Good, pieces, type Trial } from '../trial.js'
import { fatesOf, meterOf, tagsIn } from './read.js'

/** P-15: `whole` is the same input without any limit. */
export function minimal(trial: Good, whole: Good): string[] {
  const { receipt } = trial.result
  const left = receipt.lines.filter((line) => line.stage === 'fit' && line.fate === 'dropped')
  if (receipt.budget.limit === null && left.length > 0) return ['left out without a limit']
  const room = receipt.budget.tokens
  if (receipt.budget.limit !== 'tokens' || room === null || left.length === 0) return []
  const { counter } = meterOf(trial)
  // without a current message there must be room for the word that asks for an answer
  const cue = trial.input.current === undefined ? counter.count(closingCue) + 8 : 0
  // what mend cannot send was weighed before mend saw it
  const mended = whole.result.receipt.lines.filter(({ stage }) => stage === 'mend')
  const all = mended.reduce((sum, { tokens }) => sum + (tokens?.[0] ?? 0), whole.result.receipt.budget.used + cue)
  return all <= room ? [`all takes ${all} of ${room}, yet ${left.length} lines are left out`] : []
}

/** Its words are on the wire, in whatever item. */
const isSaid = (trial: Good, item: WindowItem): boolean => {
  const [tag] = tagsIn(item.text)
  return !tag || pieces(trial).some((piece) => piece.text.includes(tag.text))
}

/** P-12: `small` had the smaller budget. */
export function monotone(small: Trial, big: Trial): string[] {
  if (!small.result.ok) return []
  if (!big.result.ok)
    return [`${small.options.budget} is enough, ${big.options.budget} is refused: ${big.result.error.message}`]
  // a summary that has room now takes the place of other messages: no policy promises otherwise
  if (!small.result.receipt.summary && big.result.receipt.summary) return []
  const out: string[] = []
  const later = new Map(big.result.items.map((item) => [item.index, item]))
  const fates = fatesOf(big as Good)
  for (const item of small.result.items) {
    if (item.index === null) continue
    const fate = fates[item.index]
    // a message that stands again under its id, to the letter, is kept at its newest place
    const again = (one: WindowItem): boolean =>
      fate?.rule === 'duplicate' && item.id !== undefined && one.id === item.id
    const grown = later.get(item.index) ?? big.result.items.find(again)
    // told by a summary that has room now, or in the words of its turn, on which the wire agrees
    if (!grown && (fate?.fate === 'summarised' || (fate?.rule === 'fold.inline' && isSaid(big as Good, item)))) continue
    if (!grown) out.push(`message ${item.index} is kept with ${small.options.budget}, gone with ${big.options.budget}`)
    // a pinned opener is cut to its share once other turns stand between it and the newest
    else if (
      length(grown.text) < length(item.text) &&
      small.policy.fit.gap.form !== 'prefix' &&
      grown.rule !== 'fit.oversize'
    )
      out.push(
        `message ${item.index} has ${length(item.text)} characters with ${small.options.budget}, ${length(grown.text)} with ${big.options.budget}`,
      )
  }
  return out
}
