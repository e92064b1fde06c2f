/** Cuts a text over its limit, in code points, with a mark that says what is missing. */

import { length, unitsFromEnd, unitsOf, wellFormed } from '../message/text.js'
import type { Cut } from '../policy/schema.js'

export interface CutText {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Returns null when the text is within the limit. `id`: of the message it is from, whose whole text can be asked for. */
export function cutText(value: string, cut: Cut, graphemes: boolean, id?: string): CutText | null {
  // a text has at least half as many code points as units
  if (value.length <= cut.over) return null
  const original = length(value)
  if (original <= cut.over) return null
  const head = cut.head > 0 ? border(value, unitsOf(value, cut.head), graphemes) : 0
  const tail =
    cut.tail > 0 ? Math.max(head, borderAfter(value, unitsFromEnd(value, cut.tail), graphemes)) : value.length
  const omitted = length(value.slice(head, tail))
  const mark = cut.mark
    .replaceAll('{original}', String(original))
    .replaceAll('{omitted}', String(omitted))
    .replaceAll('{expand}', () => (id === undefined ? '' : `; expand ${wellFormed(id)}`))
  const text = value.slice(0, head) + mark + value.slice(tail)
  return { text, from: original, to: original - omitted + length(mark) }
}

function border(value: string, at: number, graphemes: boolean): number {
  if (!graphemes) return at
  let place = at
  while (place > 0 && place < value.length && isJoined(value, place)) place -= width(value, place)
  return place > 0 ? place : at
}

function borderAfter(value: string, at: number, graphemes: boolean): number {
  if (!graphemes) return at
  let place = at
  while (place > 0 && place < value.length && isJoined(value, place))
    place += (value.codePointAt(place) as number) > 0xffff ? 2 : 1
  return place
}

const width = (value: string, at: number): number =>
  at > 1 && (value.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 2) & 0xfc00) === 0xd800 ? 2 : 1

const extending = /^(?:\p{M}|[\u200c\u200d]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0020}-\u{e007f}]|[\uff9e\uff9f])$/u
const linker = /^[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]$/
const letter = /^\p{L}$/u

/** Signs that stand before a number or a letter and belong to it. */
const leading =
  /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u

/** True when the code points on both sides of `at` belong to one grapheme. */
function isJoined(value: string, at: number): boolean {
  const next = value.codePointAt(at) as number
  const previous = value.codePointAt(at - width(value, at)) as number
  if (leading.test(String.fromCodePoint(previous))) return !/^[\p{Cc}\p{Zl}\p{Zp}]$/u.test(String.fromCodePoint(next))
  if (next < 0x300) return previous === 0x0d && next === 0x0a
  if (previous === 0x200d || extending.test(String.fromCodePoint(next))) return true
  if (isFlagHalf(next) && isFlagHalf(previous)) return flagHalvesBefore(value, at) % 2 === 1
  if (isJamo(previous) && isJamo(next)) return jamoJoin(previous, next)
  return linker.test(String.fromCodePoint(previous)) && letter.test(String.fromCodePoint(next))
}

const isFlagHalf = (point: number): boolean => point >= 0x1f1e6 && point <= 0x1f1ff

function flagHalvesBefore(value: string, at: number): number {
  let count = 0
  for (let place = at; place > 0; place -= 2, count++) {
    if (width(value, place) !== 2 || !isFlagHalf(value.codePointAt(place - 2) as number)) break
  }
  return count
}

const isJamo = (point: number): boolean =>
  (point >= 0x1100 && point <= 0x11ff) || (point >= 0xac00 && point <= 0xd7ff) || (point >= 0xa960 && point <= 0xa97f)

type Jamo = 'lead' | 'vowel' | 'trail' | 'open' | 'closed'

function jamoOf(point: number): Jamo {
  if (point >= 0xac00 && point <= 0xd7a3) return (point - 0xac00) % 28 === 0 ? 'open' : 'closed'
  if (point <= 0x115f || (point >= 0xa960 && point <= 0xa97f)) return 'lead'
  return point <= 0x11a7 || (point >= 0xd7b0 && point <= 0xd7c6) ? 'vowel' : 'trail'
}

function jamoJoin(previous: number, next: number): boolean {
  const [left, right] = [jamoOf(previous), jamoOf(next)]
  if (left === 'lead') return right !== 'trail'
  if (left === 'vowel' || left === 'open') return right === 'vowel' || right === 'trail'
  return right === 'trail'
}
