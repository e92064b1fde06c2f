/** Which entries have which words: for each word their places, rising. */
import type { Sought } from '../search/terms.js'

export type Postings = ReturnType<typeof newPostings>

/** So many letters. */
const start = 3

/** `starts`: the words by the few letters they begin with, so that beginnings are found without a look at every word. */
export const newPostings = () => ({ places: new Map<string, number[]>(), starts: new Map<string, Set<string>>() })

export function post({ places, starts }: Postings, place: number, terms: Iterable<string>): void {
  for (const term of terms) {
    const known = places.get(term)
    if (known) insert(known, place)
    if (known) continue
    places.set(term, [place])
    const alike = starts.get(term.slice(0, start))
    if (alike) alike.add(term)
    else starts.set(term.slice(0, start), new Set([term]))
  }
}

/** Nothing is left of a word that no entry has any more. */
export function unpost({ places, starts }: Postings, gone: ReadonlySet<number>, terms: Iterable<string>): void {
  for (const term of terms) {
    const left = (places.get(term) ?? []).filter((place) => !gone.has(place))
    if (left.length > 0) places.set(term, left)
    if (left.length > 0) continue
    places.delete(term)
    const alike = starts.get(term.slice(0, start))
    alike?.delete(term)
    if (alike?.size === 0) starts.delete(term.slice(0, start))
  }
}

/** The words that are there of what is asked for: one at most, or all with a beginning. */
export function termsFor({ places, starts }: Postings, { term, prefix }: Sought): readonly string[] {
  if (!prefix) return places.has(term) ? [term] : []
  if (term.length >= start) return beginning(starts.get(term.slice(0, start)) ?? [], term)
  return beginning(starts.keys(), term).flatMap((letters) => [...(starts.get(letters) as Set<string>)])
}

const beginning = (words: Iterable<string>, term: string): string[] => {
  const found: string[] = []
  for (const word of words) if (word.startsWith(term)) found.push(word)
  return found
}

/** The places of several lists below one, each once, falling: mostly few are asked for, so that few are looked at. */
export function* newest(lists: readonly (readonly number[])[], before: number): Generator<number> {
  const ends = lists.map((list) => rankOf(list, before))
  let width = 256
  for (;;) {
    const last = lists.reduce((most, list, at) => Math.max(most, list[(ends[at] as number) - 1] ?? 0), 0)
    if (last === 0) return
    const found = new Set<number>()
    for (const [at, list] of lists.entries()) {
      let end = ends[at] as number
      while (end > 0 && (list[end - 1] as number) > last - width) found.add(list[--end] as number)
      ends[at] = end
    }
    yield* [...found].sort((one, other) => other - one)
    width *= 2
  }
}

/** Mostly at the end. */
function insert(list: number[], place: number): void {
  if (place > (list.at(-1) as number)) list.push(place)
  else if (list[rankOf(list, place)] !== place) list.splice(rankOf(list, place), 0, place)
}

/** How many of a rising list are below a number. */
function rankOf(list: readonly number[], number: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
