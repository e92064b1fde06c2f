/**
 * The words of a text as they are searched, the same in every store. Words are runs of letters and digits without case
 * and, in Latin, without accents. Scripts that do not put spaces between words are searched by pairs of characters.
 */

import { byteLength, unitsOf } from '../../core/message/text.js'
import { digest } from '../shared/runtime.js'
import { mapSlowly } from '../shared/turn.js'

export interface Token {
  readonly kind: 'word' | 'pair' | 'sign'
  readonly term: string
  /** Where it stands, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** A sign that has no neighbour. */
  readonly alone: boolean
}

/** A word that a query asks for. */
export interface Sought {
  readonly term: string
  /** It need only begin so. */
  readonly prefix: boolean
}

const termChars = 64
/** Of one entry: an index has to stop somewhere, and others wait while one entry is written to it. */
const entryBytes = 100_000
/** Signs that are looked at together: a text without spaces is one run, however long it is. */
const runSigns = 1_000

const unspaced = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}'
const runs = new RegExp(
  `((?:(?=[\\p{L}\\p{N}])[${unspaced}]\\p{M}*){1,${runSigns}})|(?![${unspaced}])[\\p{L}\\p{N}](?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])*`,
  'gu',
)
// conjoining jamo and half-width voice marks are letters that make one character with those before them
const characters = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|.[\p{M}\uff9e\uff9f]*/gu

/** What folding can bring in: "㈠" becomes "(一)". */
const other = /[^\p{L}\p{N}\p{M}]+/gu

/** From left to right. Every sign of a run comes before the pair that begins with it. */
export function* tokens(text: string): Generator<Token> {
  let before: Sign | undefined
  for (const { 0: run, 1: signs, index } of text.matchAll(runs)) {
    if (signs === undefined) yield* words(run, index)
    else before = yield* pairs(signs, index, before?.to === index ? before : undefined)
  }
}

type Sign = Pick<Token, 'term' | 'from' | 'to'>

function* words(run: string, from: number): Generator<Token> {
  for (const part of fold(run).split(other))
    if (part !== '') yield { kind: 'word', term: cap(part), from, to: from + run.length, alone: false }
}

/** `before` is the sign that the run goes on from; returns its last one. */
function* pairs(run: string, start: number, before: Sign | undefined): Generator<Token, Sign | undefined> {
  const found = Array.from(run.matchAll(characters), ({ 0: sign, index }) => ({
    term: fold(sign).replace(other, ''),
    from: start + index,
    to: start + index + sign.length,
  })).filter(({ term }) => term !== '')
  const [first] = found
  if (before && first) yield pairOf(before, first)
  for (const [i, sign] of found.entries()) {
    yield { kind: 'sign', ...sign, alone: found.length === 1 && !before }
    const next = found[i + 1]
    if (next) yield pairOf(sign, next)
  }
  return found.at(-1)
}

const pairOf = (sign: Sign, next: Sign): Token => ({
  ...{ kind: 'pair', term: sign.term + next.term, from: sign.from, to: next.to, alone: false },
})

function fold(run: string): string {
  if (/^[a-z\d]*$/i.test(run)) return run.toLowerCase()
  const small = run.normalize('NFKC').toLowerCase().normalize('NFD')
  return small.replace(/(\p{Script=Latin})\p{M}+|\p{Variation_Selector}/gu, '$1').normalize('NFC')
}

const cap = (term: string): string => (term.length <= termChars ? term : term.slice(0, unitsOf(term, termChars)))

/** What a text can be found by, each once. */
export function searchTerms(text: string): Set<string> {
  const terms = new Set<string>()
  for (const _ of gathering(text, terms));
  return terms
}

/** The same, with everyone else's turn in between: a long text takes its time. */
export async function termsSlowly(text: string): Promise<Set<string>> {
  const terms = new Set<string>()
  await mapSlowly(gathering(text, terms), (none) => none)
  return terms
}

/** Stops now and then, for others to have their turn. */
function* gathering(text: string, terms: Set<string>): Generator<null> {
  let [bytes, count] = [0, 0]
  for (const { term } of tokens(text)) {
    if (++count % 500 === 0) yield null
    if (terms.has(term)) continue
    bytes += byteLength(term)
    if (bytes > entryBytes) return
    terms.add(term)
  }
}

/** What a query asks for: all of it must be there, the last word as a beginning. */
export function soughtIn(query: string): readonly Sought[] {
  const asked = [...tokens(query)].filter(({ kind, alone }) => kind !== 'sign' || alone)
  const last = asked.at(-1)
  const found = asked.map((token): Sought => ({ term: token.term, prefix: token === last && token.kind === 'word' }))
  return [...new Map(found.map((one) => [`${one.prefix} ${one.term}`, one])).values()]
}

export const isSought = ({ term, prefix }: Sought, candidate: string): boolean =>
  prefix ? candidate.startsWith(term) : candidate === term

/** Stand in the index beside the words, and are none: they lead straight to a workspace or a conversation. */
export const workspaceTerm = (workspace: string): string => `\u00b7w${short(workspace)}`
export const conversationTerm = (workspace: string, conversation: string): string =>
  `\u00b7c${short(JSON.stringify([workspace, conversation]))}`

const short = (name: string): string => digest(name).slice(0, 16)
