/** How much texts have to do with a matter: the words they share with it, rare words weighing more. */
import { questionTerms, terms } from '../../models/builtin/words.js'

/** Longer texts are read at their beginning only. */
const reach = 20_000

/** From 0 to 1, where 1 is the text that has most to do with it; all 0 when none has. */
export function relevance(matter: string, texts: readonly string[]): readonly number[] {
  const wanted = new Set(questionTerms(matter.slice(0, reach)))
  const found = texts.map((text) => shared(wanted, text))
  const weights = new Map([...wanted].map((term) => [term, rarity(term, found)]))
  const sums = found.map((words) => [...words].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0))
  const best = sums.reduce((one, other) => Math.max(one, other), 0)
  return best === 0 ? sums : sums.map((sum) => sum / best)
}

function shared(wanted: ReadonlySet<string>, text: string): ReadonlySet<string> {
  const found = new Set<string>()
  terms(text.slice(0, reach), (term) => {
    if (wanted.has(term)) found.add(term)
  })
  return found
}

function rarity(term: string, texts: readonly ReadonlySet<string>[]): number {
  const count = texts.reduce((sum, words) => sum + (words.has(term) ? 1 : 0), 0)
  return count === 0 ? 0 : Math.log(1 + texts.length / count)
}
