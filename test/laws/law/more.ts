/** More room keeps more. */

import { length } from '../../../src/core/message/text.js'
import { closingCue } from '../../../src/core/window/mend/order.js'
import { plainCall } from '../../../src/core/window/mend/plain.js'
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
  const out: string[] = []
  const later = new Map(big.result.items.map((item) => [item.index, item]))
  const fates = fatesOf(big as Good)
  const told = big.result.receipt.summary?.messages ?? 0
  for (const item of small.result.items) {
    // told by a summary that has room now
    if (item.index === null || item.index < told || isHollow(item, small)) continue
    const fate = fates[item.index]
    // a message that stands again under its id, to the letter, is kept at its newest place
    const again = (one: WindowItem): boolean =>
      item.id !== undefined && one.id === item.id && (fate?.rule === 'duplicate' || one.text === item.text)
    const grown = later.get(item.index) ?? big.result.items.find(again)
    // told in the words of its turn, on which the wire agrees
    if (!grown && fate?.rule === 'fold.inline' && isSaid(big as Good, item)) continue
    if (!grown) {
      out.push(`message ${item.index} is kept with ${small.options.budget}, gone with ${big.options.budget}`)
      continue
    }
    const [before, after] = [saidIn(item, small), saidFrom(item, grown, small as Good, big as Good)]
    if (after < before)
      out.push(
        `message ${item.index} has ${before} characters with ${small.options.budget}, ${after} with ${big.options.budget}`,
      )
  }
  return out
}

/** Where a turn is told in one piece, what one item said the bigger window may say in several. */
function saidFrom({ index }: WindowItem, grown: WindowItem, small: Good, big: Good): number {
  if (small.policy.fold.tools !== 'inline') return saidIn(grown, big)
  const next = small.result.items.find((item) => (item.index ?? -1) > (index ?? -1))?.index ?? Number.POSITIVE_INFINITY
  const isSame = (item: WindowItem): boolean =>
    item === grown || (item.index !== null && item.index > (index ?? -1) && item.index < next)
  return big.result.items.filter(isSame).reduce((sum, item) => sum + saidIn(item, big), 0)
}

/** Its own words, its calls and what came of them, in characters. */
const saidIn = (item: WindowItem, trial: Trial): number =>
  item.parts.reduce(
    (sum, part) => sum + (part.type === 'call' ? length(plainCall(part)) : 0),
    length(ownText(item, trial)),
  )

/** Without the words that stand before it for earlier messages. */
const ownText = ({ text }: WindowItem, { policy: { fit } }: Trial): string =>
  fit.gap.form === 'prefix' && text.startsWith(fit.gap.text) ? text.slice(fit.gap.text.length) : text

/** Its calls were dropped and it says nothing else, but what stands for earlier messages. */
const isHollow = (item: WindowItem, trial: Trial): boolean =>
  item.parts.every(({ type }) => type === 'text') &&
  item.text !== ownText(item, trial) &&
  ownText(item, trial).trim() === ''
