/** In which order to take cards: what is likely needed and short comes first. */
import type { Card } from './card.js'

/** What the label and the framing of a message cost. */
const framing = 8
/** Between the value alone (0) and the value per token (1). */
const thrift = 0.7
/** Stored counts stay on the safe side, some of them at twice the truth; what is not offered cannot be taken. */
const slack = 3
/** What is longer than this part of the room comes last: it would take the place of many. */
const part = 0.8

export interface Offer {
  readonly card: Card
  readonly place: number
  readonly chance: number
}

export function choose<T extends Offer>(offers: readonly T[], tokens: number): readonly T[] {
  const worth = ({ card, chance }: T): number =>
    -Math.log(1 - Math.min(chance, 0.9999)) / (card.tokens + framing) ** thrift
  const sorted = offers.map((offer) => ({ offer, worth: worth(offer) })).sort((one, other) => other.worth - one.worth)
  const chosen: T[] = []
  const long: T[] = []
  const seen = new Set<number>()
  let left = tokens * slack
  for (const { offer } of sorted) {
    const { contentHash, tokens: cost } = offer.card
    if (left < framing) break
    if (seen.has(contentHash)) continue
    seen.add(contentHash)
    if (cost > tokens * part) {
      if (offer.chance > 0.05) long.push(offer)
      continue
    }
    if (cost + framing > left) continue
    chosen.push(offer)
    left -= cost + framing
  }
  return [...chosen, ...long.slice(0, 1)]
}
