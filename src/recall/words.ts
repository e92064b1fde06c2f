/** Words as recall compares them: folded, stemmed, without those that say nothing of what is asked about. */
import { stem } from './stem.js'

const plain = /[a-z0-9]+(?:'[a-z]+)*/g
const any = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}+)*/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const ascii = /^[\x00-\x7f]*$/

/** The words of a text in small letters, accents taken off, in their order. */
export function wordsOf(text: string): readonly string[] {
  if (ascii.test(text)) return text.toLowerCase().match(plain) ?? []
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC')
  return (folded.match(any) ?? []).flatMap((word) => (unspaced.test(word) ? pairs(word) : [word]))
}

/** Scripts that put no spaces between words are compared by pairs of characters. */
function pairs(word: string): string[] {
  const signs = [...word]
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => (signs[at] as string) + sign)
}

const known = new Map<string, string>()
/** Longer words are not remembered: the engine makes them as slices, and each would keep the whole text it came from. */
export const remembered = 12

/** Empty for a word that says nothing. */
export function termOf(word: string): string {
  const made = known.get(word)
  if (made !== undefined) return made
  // a bounded memory of words: it only saves work
  if (known.size > 50_000) known.clear()
  const bare = word.replace(/['’]s$/, '').replace(/['’]/g, '')
  const term = said.has(bare) ? '' : stem(bare)
  if (word.length <= remembered) known.set(word, term)
  return term
}

export const termsOf = (words: readonly string[]): string[] => words.map(termOf).filter((term) => term !== '')

/** FNV-1a: terms that share one are rare. */
export function hashOf(term: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < term.length; at++) sum = Math.imul(sum ^ term.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** The words of a text that say something. */
export const tellingIn = (text: string): string =>
  wordsOf(text)
    .filter((word) => termOf(word) !== '')
    .join(' ')

const said: ReadonlySet<string> = new Set(
  (
    'a an the and or but if then so as at by for from in into of off on onto out over to up with within without about ' +
    'is are was were be been being am do does did done doing have has had having can could will would shall should may ' +
    'might must i you he she it we they me him her us them my your his its our their mine yours hers ours theirs this ' +
    'that these those here there what who whom whose which when where why how again also just please tell show give ' +
    'no not yes ok okay than too very now all some any such only im ive id dont didnt doesnt isnt wasnt cant youre ' +
    'thats hes shes theyre weve youve'
  ).split(' '),
)
