/** What repeats the words of an entry: it goes when the words of the entry go. */
import type { Entry } from '../contract/entry.js'
import { tokens } from './terms.js'

const letter = /[\p{L}\p{N}]/u

/** The whole text, as words of their own ("a" does not stand in "again"), or the beginning or the end of a long one. */
export function quotes(document: unknown, text: string): boolean {
  const words = text.trim()
  if (words === '') return false
  const ends = words.length <= 2 * endChars ? [] : [words.slice(0, endChars), words.slice(-endChars)]
  return anyText(document, (other) => stands(words, other) || ends.some((end) => other.includes(end)))
}

/** Where a text is cut, at least so much of one of its ends is left. */
const endChars = 100

/** The entry whose words go. */
type Source = Pick<Entry, 'id' | 'opener' | 'text'>

/**
 * The title that is left without the words of an entry. Titles are made of the message that opens a conversation, so that
 * its title goes in any case; with other entries it goes when it is taken from their words or shares a telling one.
 */
export function titleWithout(title: string, { id, opener, text }: Source): string {
  if (title === '') return ''
  return id === opener || isTaken(title, text) ? '' : title
}

function isTaken(title: string, text: string): boolean {
  const [short, long] = [plainWords(title.replace(/…$/, '')), plainWords(text)]
  if (short === '' || long === '') return false
  if (stands(short, long) || long.startsWith(short) || stands(long, short)) return true
  const telling = (words: string): string[] =>
    [...tokens(words)].flatMap(({ kind, term }) => (kind === 'word' && isTelling(term) ? [term] : []))
  const said = new Set(telling(text))
  return telling(title).some((term) => said.has(term))
}

/** A number, a name of an account, a key: no word that two texts share by chance. */
const isTelling = (term: string): boolean => term.length >= 12 || (term.length >= 6 && /\d/.test(term))

const plainWords = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The document with its titles as `titleWithout` leaves them; the very same when nothing of it changes. */
export function untitled(document: unknown, entry: Source): unknown {
  if (typeof document !== 'object' || document === null) return document
  const pairs = Object.entries(document).map(([key, inner]) => {
    const left = key === 'title' && typeof inner === 'string' ? titleWithout(inner, entry) : untitled(inner, entry)
    return [key, left, left !== inner] as const
  })
  if (!pairs.some(([, , isOther]) => isOther)) return document
  return Array.isArray(document) ? pairs.map(([, left]) => left) : Object.fromEntries(pairs)
}

function anyText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => test(key) || anyText(inner, test))
}

function stands(words: string, text: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[at + words.length])) return true
  return false
}

/** Two letters beside each other are of one word. */
const joins = (one = '', other = ''): boolean => letter.test(one) && letter.test(other)
