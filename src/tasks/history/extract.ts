/** The sentences of a conversation that say most about a matter, to the letter. */
import { unitsOf } from '../../core/message/text.js'
import { relevance } from './relevance.js'
import type { Handed } from './said.js'

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
/** Characters of a message that are looked at, and sentences of all of them. */
const reach = 4_000
const most = 4_000
const longest = 400
/** What the user wants weighs more than what was answered. */
const ofUser = 1.3

interface Sentence extends Handed {
  readonly order: number
}

/** Quoted in the order in which they were said, within a budget of tokens; empty when not even one fits. */
export function extractQuotes(
  said: readonly Handed[],
  matter: string,
  tokens: number,
  count: (text: string) => number,
): string {
  const all = said
    .flatMap(split)
    .slice(-most)
    .map((one, order): Sentence => ({ ...one, order }))
  const scores = relevance(
    matter,
    all.map(({ text }) => text),
  )
  const rank = ({ speaker, order }: Sentence): number => (scores[order] as number) * (speaker === 'user' ? ofUser : 1)
  const chosen: Sentence[] = []
  let left = tokens
  for (const sentence of [...all].sort((one, other) => rank(other) - rank(one) || one.order - other.order)) {
    const cost = count(`${quoted(sentence)}\n`)
    if (cost > left) continue
    left -= cost
    chosen.push(sentence)
  }
  return chosen
    .sort((one, other) => one.order - other.order)
    .map(quoted)
    .join('\n')
}

function split({ speaker, text }: Handed): Handed[] {
  return [...sentences.segment(text.slice(0, reach))].flatMap(({ segment }) =>
    segment
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => ({ speaker, text: line })),
  )
}

function quoted({ speaker, text }: Handed): string {
  const name = speaker.charAt(0).toUpperCase() + speaker.slice(1)
  const end = unitsOf(text, longest)
  return end < text.length ? `${name}: "${text.slice(0, end)} [… cut]"` : `${name}: "${text}"`
}
