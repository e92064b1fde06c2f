/** What the laws read in a trial: its strings, tags, words and fates. */
import type { Item } from '../../../src/core/message/item.js'
import { counters, findModel, type Line } from '../../../src/index.js'
import { tags } from '../histories.js'
import type { Good, Trial } from '../trial.js'

export type Law = (trial: Good) => string[]

/** Every string in a value, keys included. */
export function strings(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value)
  else if (Array.isArray(value)) for (const inner of value) strings(inner, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      found.push(key)
      strings(inner, found)
    }
  return found
}

interface Tag {
  readonly kind: string
  readonly place: string
  readonly text: string
}

export const tagsIn = (value: unknown): Tag[] =>
  (typeof value === 'string' ? [value] : strings(value)).flatMap((text) =>
    [...text.matchAll(tags)].map(([tag, kind = '', place = '']) => ({ kind, place, text: tag })),
  )

export const textsOf = (item: Item): string[] => item.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
export const spoken = (item: Item): string => textsOf(item).join('\n')

/** What was spoken, without the words that stand for a file which was not sent. */
export const unfiled = (text: string): string => text.replace(/\n?\[(?:image|file[^\]\n]*) not sent\]/g, '')

export function meterOf({ policy, options }: Trial) {
  const facts = options.model === undefined ? null : findModel(options.model)
  const family = facts?.family ?? 'unknown'
  const counter =
    options.counter ?? (policy.counter === 'chars/4' ? counters.charsPer4 : counters.estimate(family, facts?.scale))
  return { counter, family }
}

/** What is recalled is quoted in one piece. */
export const isQuoted = ({ input, policy }: Trial, text: string): boolean =>
  input.recall !== undefined && text.includes(policy.recall.text)

/** Where each tag stands in the input. */
export function placesOf(messages: readonly unknown[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  messages.forEach((message, index) => {
    for (const { text } of tagsIn(message)) places.set(text, [...(places.get(text) ?? []), index])
  })
  return places
}

export interface Fated {
  readonly fate: Line['fate']
  readonly stage: Line['stage']
  readonly rule: string
}

/** The fate of each message, by the receipt. */
export function fatesOf({ result, input }: Good): (Fated | undefined)[] {
  const fates: (Fated | undefined)[] = new Array(input.messages.length)
  for (const { from, to, fate, stage, rule } of result.receipt.lines)
    for (let i = from; i <= to; i++) fates[i] = { fate, stage, rule }
  return fates
}
