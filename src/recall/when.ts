/** Times that a message speaks of, as spans: "on 3 May", "last March", "two weeks ago", "before June". */
import { beside, type Side } from './beside.js'

export interface Span {
  /** Instants in milliseconds; one that is open has no end on one side. */
  readonly from: number
  readonly to: number
  /** So many days beside it are still near: people speak of a thing shortly before or after it. */
  readonly slack: number
  /** How much it says; left out, all. */
  readonly weight?: number
}

export const day = 86_400_000
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const units: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.4, year: 365 }
const numbers: readonly string[] = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const count = `(\\d{1,3}|an?|${numbers.slice(1).join('|')}|(?:a )?couple(?: of)?|(?:a )?few)`
const iso = /\b(\d{4})-(\d\d)-(\d\d)\b/g
const monthFirst = new RegExp(`\\b${month}\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'g')
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}\\b(?:,? (\\d{4}))?`, 'g')
const monthOnly = new RegExp(
  `\\b((?:in|of|last|this|during|early|late|mid|since|by|until|before|after) )?${month}\\b(?:,? (?:of )?(\\d{4}))?`,
  'g',
)
const yearOnly = /\b((?:in|of|during|since|before|after) )((?:19|20)\d\d)\b/g
const ago = new RegExp(`\\b${count} (day|week|month|year)s? (?:ago|earlier|back)\\b`, 'g')
const within = new RegExp(`\\b(?:last|past|previous) ${count} (day|week|month|year)s?\\b`, 'g')
const lastUnit = /\b(last|past|previous|this) (week|month|year|weekend)\b/g
const weekday = /\b(?:last|on|this|past) (sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?day\b/g

/** `years` are those that a date without one may mean. */
export function timeSpansIn(text: string, now: number, years: () => readonly number[]): readonly Span[] {
  const words = text.toLowerCase()
  if (!/\d|ago|last|past|previous|this|yesterday|today|on |in |ber|ary|march|april|may|june|july|august/.test(words))
    return []
  const dated = datesIn(words, now, years())
  return Number.isFinite(now) ? [...dated, ...relativeIn(words, now)] : dated
}

function datesIn(words: string, now: number, years: readonly number[]): Span[] {
  const spans: Span[] = []
  const add = (span: Span, text: string, index: number): void => {
    const side = beside(text.slice(0, index))
    spans.push(side ? sideOf(span, side) : span)
  }
  const onDay = (name: string, date: number, year: string | undefined, index: number): void => {
    for (const one of year ? [Number(year)] : years) add(point(Date.UTC(one, monthAt(name), date), 2), words, index)
  }
  for (const { 1: year, 2: at, 3: date, index } of words.matchAll(iso))
    add(point(Date.UTC(Number(year), Number(at) - 1, Number(date)), 2), words, index)
  for (const { 1: name, 2: date, 3: year, index } of words.matchAll(monthFirst))
    onDay(name as string, Number(date), year, index)
  for (const { 1: date, 2: name, 3: year, index } of words.matchAll(dayFirst))
    onDay(name as string, Number(date), year, index)
  const rest = words.replace(monthFirst, ' ').replace(dayFirst, ' ')
  for (const { 1: before = '', 2: name, 3: year, index } of rest.matchAll(monthOnly)) {
    // "may" and "march" are verbs more often than months
    if (!before && !year && /^mar|^may/.test(name as string)) continue
    const at = monthAt(name as string)
    const meant = year ? [Number(year)] : before === 'last ' ? [lastYearOf(at, now)] : years
    for (const one of meant)
      add({ from: Date.UTC(one, at, 1), to: Date.UTC(one, at + 1, 1), slack: 7 }, rest, index + before.length)
  }
  for (const { 1: before = '', 2: year, index } of rest.matchAll(yearOnly)) {
    const span = { from: Date.UTC(Number(year), 0, 1), to: Date.UTC(Number(year) + 1, 0, 1), slack: 20 }
    add(span, rest, index + before.length)
  }
  return spans
}

/** What is before the span or after it: all of it, the week next to it, or what is two weeks away. */
export function sideOf({ from, to, slack }: Pick<Span, 'from' | 'to' | 'slack'>, { way, many, unit }: Side): Span {
  const away = (units[unit ?? ''] ?? 0) * day
  if (unit === undefined || many === null)
    return way < 0
      ? { from: unit ? from - (away || weekend) : Number.NEGATIVE_INFINITY, to: from, slack, ...(!unit && open) }
      : { from: to, to: unit ? to + (away || weekend) : Number.POSITIVE_INFINITY, slack, ...(!unit && open) }
  const at = (way < 0 ? from : to) + way * numberOf(many) * away
  return { from: at - away * 0.25, to: at + away * 0.25, slack: Math.max(1.5, slack) }
}

/** Half of all time says little. */
const open = { weight: 0.4 }
const weekend = 7 * day

function relativeIn(words: string, now: number): Span[] {
  const spans: Span[] = []
  for (const [, many, unit] of words.matchAll(ago)) {
    const days = units[unit as string] as number
    const at = now - numberOf(many as string) * days * day
    spans.push({ from: at - days * day * 0.25, to: at + days * day * 0.25, slack: Math.max(1.5, days * 0.3) })
  }
  for (const [, many, unit] of words.matchAll(within))
    spans.push({ from: now - numberOf(many as string) * (units[unit as string] as number) * day, to: now, slack: 1 })
  for (const [, which, unit] of words.matchAll(lastUnit)) {
    const days = units[unit as string] ?? 5
    spans.push({
      from: now - days * day * (which === 'this' ? 1 : 2),
      to: now - (which === 'this' ? 0 : days * day * 0.3),
      slack: 2,
    })
  }
  for (const [, name] of words.matchAll(weekday)) {
    const back = (new Date(now).getUTCDay() - weekdays.indexOf(name as string) + 7) % 7 || 7
    spans.push(point(now - back * day, 1))
  }
  if (/\byesterday\b/.test(words)) spans.push(point(now - day, 1))
  if (/\btoday\b|\bthis morning\b/.test(words)) spans.push(point(now, 1))
  return spans
}

const point = (at: number, slack: number): Span => ({ from: at, to: at + day, slack })
const monthAt = (name: string): number => months.indexOf(name.slice(0, 3))

function lastYearOf(at: number, now: number): number {
  const date = new Date(now)
  return date.getUTCMonth() > at ? date.getUTCFullYear() : date.getUTCFullYear() - 1
}

function numberOf(word: string): number {
  if (/couple/.test(word)) return 2
  if (/few/.test(word)) return 3
  const listed = numbers.indexOf(word)
  return Number(word) || (listed > 0 ? listed : 1)
}

/** 1 inside one of the spans, less the farther from all of them. */
export function nearness(at: number, spans: readonly Span[]): number {
  let best = 0
  for (const { from, to, slack, weight = 1 } of spans) {
    const off = at < from ? from - at : at > to ? at - to : 0
    best = Math.max(best, weight * Math.exp(-off / day / slack))
  }
  return best
}
