/** What must not vanish: specifics that nobody can guess again once they are gone. */
import type { Said } from './contract.js'
import { sentencesOf } from './sentences.js'

export interface Keep {
  readonly kind: 'url' | 'path' | 'id' | 'number' | 'name' | 'open'
  /** To the letter. */
  readonly text: string
  readonly source: string
}

const patterns: readonly (readonly [Exclude<Keep['kind'], 'open'>, RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]{4,200}/g],
  ['path', /(?<![\w:/.])(?:~|\.{1,2})?\/?(?:[\w.@-]{1,60}\/){1,12}[\w.@-]{1,80}/g],
  [
    'id',
    /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,27}|(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}|[A-Z][A-Z0-9]{1,9}-\d{1,8})\b/g,
  ],
  ['number', /(?<![\w.])(?:[$€£]\s?)?\d[\d,.:]*\d(?:\s?(?:%|ms|[kmg]b|px|€|usd|eur))?(?![\w])/gi],
  ['name', /(?<=[\p{Ll},;:]\s)\p{Lu}[\p{L}\d]{2,20}(?: \p{Lu}[\p{L}\d]{1,20}){0,2}\b/gu],
]
const open =
  /\b(?:to-?do|still (?:open|to do|need)|open question|not (?:yet )?decided|undecided|follow[- ]?up|remind me|pending)\b/i
/** Longer texts are searched at their beginning and end. */
const reach = 20_000

/**
 * What a person said, and what was said in more than one message, must be kept; the rest is worth keeping while there is
 * room. What a tool printed counts only when someone spoke of it, and so does what was pasted.
 */
export function keepsOf(said: readonly Said[]): { readonly must: readonly Keep[]; readonly nice: readonly Keep[] } {
  const seen = new Map<string, { readonly keep: Keep; users: number; times: number }>()
  for (const message of said) {
    if (message.voice === 'tool') continue
    const found = specificsIn(message)
    const own = message.text.length <= long ? found : specifics({ ...message, text: around(message.text) })
    const spoken = new Set(own.map(({ text }) => text))
    for (const keep of found) {
      const isOwn = spoken.has(keep.text)
      if (keep.kind === 'open' && !isOwn) continue
      const known = seen.get(keep.text) ?? { keep, users: 0, times: 0 }
      known.times++
      if (message.voice === 'user' && isOwn) known.users++
      seen.set(keep.text, known)
    }
  }
  const all = [...seen.values()]
  const isMust = ({ keep, users, times }: (typeof all)[number]): boolean =>
    keep.kind === 'open' || (keep.kind === 'name' ? times > 1 : users > 0 || times > 1)
  return {
    must: all.filter(isMust).map(({ keep }) => keep),
    nice: all.filter((one) => !isMust(one)).map(({ keep }) => keep),
  }
}

const known = new WeakMap<Said, readonly Keep[]>()

function specificsIn(message: Said): readonly Keep[] {
  const found = known.get(message) ?? specifics(message)
  known.set(message, found)
  return found
}

/** For those who cannot let others have their turn: a long history takes seconds. */
export function lookAhead(said: readonly Said[]): void {
  for (const message of said) if (message.voice !== 'tool') specificsIn(message)
}

/** A message longer than this has something pasted into it. */
const long = 3_000
/** Before what is pasted and behind it someone speaks, for so many characters. */
const reply = 300

const around = (text: string): string => `${text.slice(0, reply)}\n${text.slice(-reply)}`

/** All that one text has. */
export function specifics({ id, text }: Pick<Said, 'id' | 'text'>): Keep[] {
  const searched = text.length <= reach ? text : `${text.slice(0, reach / 2)}\n${text.slice(-reach / 2)}`
  const found = new Map<string, Keep>()
  let rest = searched
  for (const [kind, pattern] of patterns) {
    // a number inside a path is the path's
    rest = rest.replace(pattern, (match) => {
      const exact = match.replace(/[.,;:!?]+$/, '').replace(/\s+/g, ' ')
      if (kind !== 'number' || isTelling(exact)) found.set(exact, { kind, text: exact, source: id })
      return ' '
    })
  }
  for (const sentence of sentencesOf(searched))
    if (open.test(sentence)) found.set(sentence, { kind: 'open', text: sentence, source: id })
  return [...found.values()]
}

/** A small plain number is no specific. */
const isTelling = (text: string): boolean => text.replace(/\D/g, '').length >= 3 || /[^\d,.:\s]/.test(text)

/** Those that a text does not have. */
export const missingFrom = (text: string, keeps: readonly Keep[]): readonly Keep[] =>
  keeps.filter((keep) => !holds(text, keep))

/** Whether a text has it by itself: 412 is not in 4127, and src/cart is not in src/cart/total.ts. */
function holds(text: string, { kind, text: exact }: Keep): boolean {
  const isPlain = kind === 'name' || kind === 'open'
  for (let at = text.indexOf(exact); at >= 0; at = text.indexOf(exact, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + exact.length, at + exact.length + 2)
    if (!(isPlain ? wordBefore : partBefore).test(before) && !(isPlain ? wordAfter : partAfter).test(after)) return true
  }
  return false
}

const wordBefore = /[\p{L}\p{N}_]$/u
const wordAfter = /^[\p{L}\p{N}_]/u
const partBefore = /[\p{L}\p{N}_]$|[\p{L}\p{N}_][/.@-]$|\d[,:]$/u
const partAfter = /^[\p{L}\p{N}_]|^[./?=&#@-][\p{L}\p{N}_]|^[,:]\d/u
