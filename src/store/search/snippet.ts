/** A stretch of a text around the first of the words that were found in it. */
import { unitsOf } from '../../core/message/text.js'
import type { Hit } from '../contract/search.js'
import { isSought, type Sought, tokens } from './terms.js'

/** At most so many chars, so many of them before the first word. */
const most = 240
const before = 60

type Mark = [from: number, to: number]

export function snippetOf(text: string, sought: readonly Sought[]): Pick<Hit, 'snippet' | 'marks'> {
  const marks: Mark[] = []
  let start = 0
  let end = unitsOf(text, most)
  for (const { term, from, to } of tokens(text)) {
    if (marks.length > 0 && from >= end) break
    if (!sought.some((one) => isSought(one, term))) continue
    if (marks.length === 0) {
      start = wordAt(text, back(text, from, before))
      end = start + unitsOf(text.slice(start, start + 2 * most), most)
    }
    add(marks, [from - start, Math.min(to, end) - start])
  }
  return { snippet: text.slice(start, end), marks }
}

/** So many code points towards the beginning. */
function back(text: string, from: number, count: number): number {
  let at = from
  for (let taken = 0; taken < count && at > 0; taken++) {
    const isPair = at > 1 && (text.codePointAt(at - 2) as number) > 0xffff
    at -= isPair ? 2 : 1
  }
  return at
}

/** The beginning of the word that stands there, unless that is far. */
function wordAt(text: string, at: number): number {
  for (let word = at; word >= Math.max(0, at - 20); word--)
    if (word === 0 || /\s/.test(text[word - 1] ?? '')) return word
  return at
}

/** Marks that touch or overlap are one. */
function add(marks: Mark[], [from, to]: Mark): void {
  const last = marks.at(-1)
  if (last && from <= last[1]) last[1] = Math.max(last[1], to)
  else marks.push([from, to])
}
