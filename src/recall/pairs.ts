/** Words that stand side by side: "account lockout" says more than an account here and a lockout there. */
import { hashOf } from './words.js'

/** Two bits are set for each pair; few of those that are none have both. */
export type Pairs = Uint8Array

/** How long the pairs of so many terms are. */
export const pairBytes = (terms: number): number => 2 ** Math.max(5, Math.ceil(Math.log2(2 * terms + 1)))

/** Of terms in their order, the words that say nothing left out. */
export function pairsOf(terms: readonly string[]): Pairs {
  const pairs = new Uint8Array(pairBytes(terms.length))
  for (let at = 1; at < terms.length; at++)
    for (const bit of bitsOf(pairs, terms[at - 1] as string, terms[at] as string))
      pairs[bit >> 3] = (pairs[bit >> 3] as number) | (1 << (bit & 7))
  return pairs
}

export const holds = (pairs: Pairs, one: string, other: string): boolean =>
  bitsOf(pairs, one, other).every((bit) => ((pairs[bit >> 3] as number) >> (bit & 7)) & 1)

function bitsOf({ length }: Pairs, one: string, other: string): readonly number[] {
  const hash = hashOf(`${one} ${other}`)
  return [hash & (length * 8 - 1), (hash >>> 15) & (length * 8 - 1)]
}
