/**
 * The laws of the window, each a pure function that lists what breaks it. They read the request on the wire, the items
 * and the receipt against the raw input; `mutants.test.ts` shows that each of them can say no.
 */
import { createHash } from 'node:crypto'
import type { Item } from '../../src/core/item.js'
import { closingCue, openingCue } from '../../src/core/mend/order.js'
import type { Cut } from '../../src/core/policy/schema.js'
import { isBlank, length, wellFormed } from '../../src/core/text.js'
import { check, counters, findModel, type Issue, type Line, type WindowItem } from '../../src/index.js'
import { tags } from './histories.js'
import { admittedOf, currentTag, type Good, pieces, type Trial } from './trial.js'
import { recount } from './wire.js'

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

const textsOf = (item: Item): string[] => item.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
const spoken = (item: Item): string => textsOf(item).join('\n')

/** What was spoken, without the words that stand for a file which was not sent. */
const unfiled = (text: string): string => text.replace(/\n?\[(?:image|file[^\]\n]*) not sent\]/g, '')

export function meterOf({ policy, options }: Trial) {
  const facts = options.model === undefined ? null : findModel(options.model)
  const family = facts?.family ?? 'unknown'
  const counter =
    options.counter ?? (policy.counter === 'chars/4' ? counters.charsPer4 : counters.estimate(family, facts?.scale))
  return { counter, family }
}

const refusals = /^(fit\.budget|admit\.[a-z.]+|window\.empty|options\.budget)$/

/** A refusal is one of the known ones, with a field and words. */
export function typedRefusal(error: Issue): string[] {
  return refusals.test(error.code) && error.message !== '' && error.field
    ? []
    : [`untyped refusal ${JSON.stringify(error)}`]
}

/** P-01 */
export const withinBudget: Law = (trial) => {
  const { receipt, rendered } = trial.result
  const { counter, family } = meterOf(trial)
  const count = recount(trial.target, rendered, counter, family)
  const system = trial.input.system === undefined ? 0 : counter.count(trial.input.system) + 8
  const tools = trial.input.tools ? counter.count(JSON.stringify(trial.input.tools)) : 0
  const { budget } = trial.options
  const limit =
    budget !== undefined ? budget - tools : receipt.budget.tokens === null ? null : receipt.budget.tokens + system
  const { fit } = trial.policy
  if (receipt.budget.excess > 0) {
    const allowed = fit.floor > 0 || fit.oversize === 'keep'
    return allowed && receipt.warnings.some(({ code }) => code === 'fit.excess')
      ? []
      : ['over the limit without a word']
  }
  // whole tokens of chars / 4 add up to less than those of the joined text
  const seams = counter.name === 'chars/4' ? 2 + receipt.mended.reduce((sum, { count: times }) => sum + times, 0) : 0
  return limit !== null && count > limit + seams
    ? [`${count} tokens on the wire, ${limit} allowed (the receipt says ${receipt.budget.used})`]
    : []
}

/** P-01, the limits in other units. */
export const withinLimits: Law = (trial) => {
  const { receipt, items } = trial.result
  if (receipt.budget.excess > 0) return []
  const { fit } = trial.policy
  // what people pinned does not count, any more than the pinned first message
  const held = new Set(trial.input.marks?.pinned)
  const said = items.filter((item) => item.fate !== 'current' && item.fate !== 'marker' && !held.has(item.id ?? ''))
  const chars = said.reduce((sum, item) => sum + length(item.text), 0)
  const out: string[] = []
  if (fit.chars !== null && chars > fit.chars) out.push(`${chars} characters, ${fit.chars} allowed`)
  // the pinned first message does not count
  const pinned = fit.pin.first
  if (fit.messages !== null && said.length > fit.messages + pinned)
    out.push(`${said.length} messages, ${fit.messages} allowed`)
  const turns = said.filter((item) => item.role === 'user').length
  if (fit.turns !== null && turns > fit.turns) out.push(`${turns} turns, ${fit.turns} allowed`)
  return out
}

const oversize = '\n[… {omitted} characters omitted …]\n'

/** P-03: the newest user message is there byte for byte, or cut with a mark where the policy cuts it. */
export const newestUser: Law = (trial) => {
  const { items, receipt } = trial.result
  const users = pieces(trial).filter((piece) => piece.role === 'user')
  const heard = (text: string): boolean => isBlank(text) || users.some((piece) => piece.text.includes(wellFormed(text)))
  const { current } = trial.input
  if (current !== undefined) {
    const last = items.at(-1)
    const text = typeof current === 'string' ? current : (current as { content: { text: string }[] }).content[0]?.text
    if (last?.fate !== 'current') return ['the current message is not last']
    if (!heard(last.text)) return ['the current message is not on the wire']
    if (last.text === text) return receipt.current?.fate === 'kept' ? [] : ['whole, but told otherwise']
    const told = receipt.current?.fate === 'clipped' && /omitted|truncated/.test(last.text)
    return told && mayCut(trial, last.rule) ? [] : ['the current message is cut without a word']
  }
  const admitted = admittedOf(trial)
  const speaks = (index: number): boolean => {
    const one = admitted[index]
    return one?.ok === true && one.item.parts.length > 0 && one.item.role !== 'system'
  }
  const newest = admitted.findLastIndex((one, i) => speaks(i) && one.ok && one.item.role === 'user')
  const one = admitted[newest]
  if (!one?.ok || isBlank(spoken(one.item))) return []
  const later = admitted.some((_, i) => i > newest && speaks(i))
  const shown = items.find((item) => item.index === newest)
  // a policy of single messages keeps the newest ones, whoever spoke them
  if (!shown)
    return later && trial.policy.fit.grain === 'message'
      ? []
      : [`message ${newest}, the newest of the user, is missing`]
  if (!textsOf(shown).every(heard)) return [`message ${newest} is not on the wire as the user's`]
  if (spoken(shown) === spoken(one.item) || unfiled(spoken(shown)) === spoken(one.item)) return []
  const prefix = trial.policy.fit.gap.form === 'prefix' ? trial.policy.fit.gap.text : ''
  if (prefix && spoken(shown) === prefix + spoken(one.item)) return []
  return shown.fate === 'clipped' && shown.clipped === true && mayCut(trial, shown.rule)
    ? []
    : [`message ${newest} is cut without a word`]
}

function mayCut({ policy }: Trial, rule: string): boolean {
  if (rule === 'clip.user') return policy.clip.user !== null && !policy.clip.newestWhole
  return rule === 'fit.oversize' && policy.fit.oversize === 'clip'
}

/** What is recalled is quoted in one piece. */
const isQuoted = ({ input, policy }: Trial, text: string): boolean =>
  input.recall !== undefined && text.includes(policy.recall.text)

/** Where each tag stands in the input. */
function placesOf(messages: readonly unknown[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  messages.forEach((message, index) => {
    for (const { text } of tagsIn(message)) places.set(text, [...(places.get(text) ?? []), index])
  })
  return places
}

/** P-04 and P-20: what is said on the wire was said in the history, in that order. */
export const inOrder: Law = (trial) => {
  const out: string[] = []
  const places = placesOf(trial.input.messages)
  let last = -1
  for (const piece of pieces(trial)) {
    if (isQuoted(trial, piece.text)) continue
    for (const { text, kind } of tagsIn(piece.text)) {
      if (text === currentTag) continue
      const known = places.get(text)
      if (!known) out.push(`${text} is from nowhere`)
      if (!known || (kind !== 'u' && kind !== 'a') || piece.kind !== 'text') continue
      const next = known.find((place) => place >= last)
      if (next === undefined) out.push(`${text} comes after a later message`)
      else last = next
    }
  }
  const indices = trial.result.items.flatMap((item) => (item.index === null ? [] : [item.index]))
  if (indices.some((index, i) => i > 0 && index <= (indices[i - 1] as number)))
    out.push(`items in the order ${indices}`)
  return out
}

/** P-05 */
export const paired: Law = (trial) => {
  const out: string[] = []
  const all = pieces(trial)
  if (trial.target === 'google') return googlePairs(all)
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const piece of all) {
    const id = piece.id ?? ''
    if (piece.kind === 'call') {
      if (seen.has(id)) out.push(`two calls have the id ${id}`)
      seen.add(id)
      open.add(id)
    } else if (piece.kind === 'result') {
      if (!open.delete(id)) out.push(`the result ${id} has no call before it`)
    } else if (open.size > 0 && piece.role !== 'assistant') out.push(`${[...open]} is open when ${piece.role} speaks`)
  }
  if (open.size > 0) out.push(`calls without a result: ${[...open]}`)
  if (trial.sound) out.push(...ownResults(trial, all))
  return out
}

function googlePairs(all: ReturnType<typeof pieces>): string[] {
  const out: string[] = []
  const places = [...new Set(all.map((piece) => piece.at))]
  for (const at of places) {
    const calls = all.filter((piece) => piece.at === at && piece.kind === 'call').map((piece) => piece.name)
    const next = all.filter((piece) => piece.at === at + 1)
    const results = next.filter((piece) => piece.kind === 'result').map((piece) => piece.name)
    if (calls.length > 0 && calls.join() !== results.join()) out.push(`calls ${calls} get the results ${results}`)
    const before = all.filter((piece) => piece.at === at - 1 && piece.kind === 'call').length
    const here = all.filter((piece) => piece.at === at && piece.kind === 'result').length
    if (here !== before && here > 0) out.push(`${here} results for ${before} calls`)
  }
  return out
}

/** In a history where nothing was lost each call has the result that is its own. */
function ownResults(trial: Good, all: ReturnType<typeof pieces>): string[] {
  const out: string[] = []
  const excluded = new Set(trial.input.marks?.excluded)
  const admitted = admittedOf(trial)
  // a policy that takes no results has none for a call that someone wants whole
  const isLeft = (message: unknown, i: number): boolean =>
    admitted[i]?.ok === true && !excluded.has((message as { id?: string } | null)?.id ?? '')
  const given = new Set(
    trial.input.messages.filter(isLeft).flatMap((message) => tagsIn(message).map(({ text }) => text)),
  )
  for (const call of all) {
    if (call.kind !== 'call' || !/^call_\d+_\d+_\d+$/.test(call.id ?? '')) continue
    const place = tagsIn(call.text)[0]?.place
    const result = all.find((piece) => piece.kind === 'result' && piece.id === call.id)
    const got = tagsIn(result?.text ?? '').filter(({ kind }) => kind === 'r')
    if (got.some((tag) => tag.place !== place)) out.push(`call ${place} has the result ${got[0]?.place}`)
    if (got.length === 0 && given.has(`⟦r${place}⟧`)) out.push(`the result of call ${place} is lost`)
  }
  return out
}

/** P-06 */
export const wellFormedStrings: Law = ({ result }) =>
  [result.rendered, result.items, result.receipt].flatMap((value) =>
    strings(value)
      .filter((text) => wellFormed(text) !== text)
      .map((text) => `ill formed: ${JSON.stringify(text.slice(0, 60))}`),
  )

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** P-06: head and tail are the original's own, and no cut splits what a reader sees as one character. */
export const cleanCuts: Law = (trial) => {
  const { policy, input, result } = trial
  const out: string[] = []
  const admitted = admittedOf(trial)
  const said = [policy.clip.user, policy.clip.assistant].flatMap((cut) => (cut ? [cut.mark] : []))
  for (const item of result.items) {
    const one = item.index === null ? undefined : admitted[item.index]
    if (!one?.ok || !item.clipped || item.rule === 'fold.inline' || policy.fold.tools === 'inline') continue
    if (unfiled(item.text) === spoken(one.item)) continue
    const prefix =
      policy.fit.gap.form === 'prefix' && item.text.startsWith(policy.fit.gap.text) ? policy.fit.gap.text.length : 0
    out.push(
      ...cutsOf(item.text.slice(prefix), spoken(one.item), [...said, oversize], policy.clip.graphemes, item.index),
    )
  }
  const originals = new Map<string, string>()
  for (const text of strings(input.messages))
    for (const tag of tagsIn(text)) if (tag.kind === 'r') originals.set(tag.text, wellFormed(text))
  const marks = [policy.fold.result.mark, policy.clip.tool?.mark ?? policy.fold.result.mark]
  for (const part of result.items.flatMap((item) => item.parts)) {
    if (part.type !== 'call' || part.outcome.state === 'pending') continue
    const [only] = part.outcome.output
    if (only?.type !== 'text' || part.outcome.output.length > 1) continue
    const original = originals.get(tagsIn(only.text)[0]?.text ?? '')
    if (original !== undefined && original !== only.text)
      out.push(...cutsOf(only.text, original, marks, policy.clip.graphemes, part.id))
  }
  return out
}

function cutsOf(
  text: string,
  original: string,
  marks: readonly string[],
  graphemes: boolean,
  where: unknown,
): string[] {
  for (const mark of marks) {
    const pattern = new RegExp(escaped(mark).replace(/\\\{(original|omitted)\\\}/g, '(?<$1>\\d+)'), 'g')
    for (const match of text.matchAll(pattern)) {
      const head = text.slice(0, match.index)
      const tail = text.slice(match.index + match[0].length)
      if (!original.startsWith(head) || !original.endsWith(tail)) continue
      const omitted = original.length - head.length - tail.length
      if (omitted <= 0) continue
      const gone = length(original.slice(head.length, original.length - tail.length))
      if (match.groups?.omitted && Number(match.groups.omitted) !== gone)
        return [`${where}: ${gone} are omitted, ${match[0]} is said`]
      if (match.groups?.original && Number(match.groups.original) !== length(original))
        return [`${where}: the length is not ${match[0]}`]
      return [head.length, original.length - tail.length]
        .filter((at) => !isBorder(original, at, graphemes))
        .map(
          (at) =>
            `${where}: cut inside a character at ${at}: ${JSON.stringify(original.slice(Math.max(0, at - 6), at + 6))}`,
        )
    }
  }
  return [`${where}: no mark where it was cut: ${JSON.stringify(text.slice(0, 40))}`]
}

const escaped = (value: string): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function isBorder(value: string, at: number, graphemes: boolean): boolean {
  if (at <= 0 || at >= value.length) return true
  if (graphemes) return segmenter.segment(value).containing(at)?.index === at
  return !((value.charCodeAt(at) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 1) & 0xfc00) === 0xd800)
}

/** P-07 */
export const legal: Law = (trial) => {
  const { target, result } = trial
  const said = pieces(trial).filter((piece) => piece.at >= 0)
  // without a history and a current message a section of text is no section
  if (!provider.test(target) && said.length === 0 && result.items.every((item) => isBlank(item.text))) return []
  if (provider.test(target) && said.every((piece) => cues.has(piece.text))) return ['nothing but cues']
  return check(target, result.rendered).map(({ rule, path, message }) => `${rule} at ${path}: ${message}`)
}

const provider = /^(?:openai-chat|openai-responses|anthropic|google|ai-sdk)$/
const cues = new Set([openingCue, closingCue])

interface Fated {
  readonly fate: Line['fate']
  readonly stage: Line['stage']
  readonly rule: string
}

/** The fate of each message, by the receipt. */
function fatesOf({ result, input }: Good): (Fated | undefined)[] {
  const fates: (Fated | undefined)[] = new Array(input.messages.length)
  for (const { from, to, fate, stage, rule } of result.receipt.lines)
    for (let i = from; i <= to; i++) fates[i] = { fate, stage, rule }
  return fates
}

const counted = ['kept', 'clipped', 'folded', 'summarised', 'recalled', 'dropped'] as const

/** P-13: every message in exactly one line, and the sums are right. */
export const accounted: Law = (trial) => {
  const { receipt, items } = trial.result
  const out: string[] = []
  let next = 0
  for (const line of receipt.lines) {
    if (line.from !== next) out.push(`a line begins at ${line.from}, expected ${next}`)
    if (line.to < line.from) out.push(`a line runs from ${line.from} to ${line.to}`)
    next = line.to + 1
    const [before, after] = line.tokens ?? [0, 0]
    if (before < 0 || after < 0 || (line.fate === 'dropped' && after !== 0))
      out.push(`line ${line.from}: ${line.tokens} tokens`)
    if (line.tokens && line.restore !== Math.max(0, before - after))
      out.push(`line ${line.from}: restore ${line.restore} of ${line.tokens}`)
  }
  if (next !== trial.input.messages.length) out.push(`the lines end at ${next} of ${trial.input.messages.length}`)
  const { totals, budget } = receipt
  const places = (which: (line: Line) => boolean): number =>
    receipt.lines.reduce((all, line) => all + (which(line) ? line.to - line.from + 1 : 0), 0)
  for (const { from, to, rule } of receipt.lines)
    if (rule === 'no_message' && trial.input.messages.slice(from, to + 1).some((message) => message !== undefined))
      out.push(`line ${from} says that a message is none`)
  for (const fate of counted) {
    const sum = places((line) => line.fate === fate && line.rule !== 'no_message')
    if (sum !== totals[fate]) out.push(`${totals[fate]} ${fate}, the lines have ${sum}`)
  }
  if (totals.messages !== places(({ rule }) => rule !== 'no_message')) out.push(`${totals.messages} messages in all`)
  const before = receipt.lines.reduce((all, line) => all + (line.tokens?.[0] ?? 0), 0)
  if (totals.tokens.before !== before) out.push(`${totals.tokens.before} tokens before, the lines have ${before}`)
  if (totals.tokens.after !== budget.used) out.push('two figures for the tokens used')
  if (budget.tokens !== null && budget.free !== budget.tokens - budget.used)
    out.push(`free ${budget.free} of ${budget.tokens}`)
  out.push(...tokenSums(trial), ...matching(trial))
  const indices = items.flatMap((item) => (item.index === null ? [] : [item.index]))
  if (new Set(indices).size !== indices.length) out.push(`indices ${indices}`)
  return out
}

/** What the lines leave, the markers and the current message make the items. */
function tokenSums({ result, policy }: Good): string[] {
  const { receipt, items } = result
  const after = receipt.lines.reduce((all, line) => all + (line.fate === 'recalled' ? 0 : (line.tokens?.[1] ?? 0)), 0)
  const shown = items.filter((item) => item.index !== null).reduce((all, item) => all + item.tokens, 0)
  const mended = receipt.lines.some((line) => line.stage === 'mend')
  // a prefix is no one's message, and what mend drops is weighed but not sent
  if (policy.fit.gap.form === 'prefix' || mended) return []
  return after === shown ? [] : [`the lines keep ${after} tokens, the items have ${shown}`]
}

/** The receipt tells of the same messages as the items and the wire. */
function matching(trial: Good): string[] {
  const out: string[] = []
  const fates = fatesOf(trial)
  for (const { index, fate } of trial.result.items) {
    if (index === null) continue
    const told = fates[index]
    if (told?.stage === 'mend') continue
    if (told?.fate !== fate) out.push(`message ${index} is ${fate}, the receipt says ${told?.fate}`)
  }
  const wire = new Set(pieces(trial).flatMap((piece) => tagsIn(piece.text).map(({ text }) => text)))
  const kept = new Set<string>()
  trial.input.messages.forEach((message, index) => {
    if (!isGone(fates[index])) for (const { text } of tagsIn(message)) kept.add(text)
  })
  trial.input.messages.forEach((message, index) => {
    for (const { text, kind } of tagsIn(message)) {
      if (isGone(fates[index]) && wire.has(text) && !kept.has(text))
        out.push(`${text} is on the wire, but ${fates[index]?.fate} at ${index}`)
      if (fates[index]?.fate === 'kept' && 'ua'.includes(kind) && !wire.has(text))
        out.push(`${text} is kept at ${index}, but not on the wire`)
    }
  })
  return out
}

const isGone = (one: Fated | undefined): boolean => one?.fate === 'dropped' || one?.fate === 'summarised'

/** P-14 */
export const honestMarkers: Law = (trial) => {
  const { items } = trial.result
  const { gap } = trial.policy.fit
  const fates = fatesOf(trial)
  const out: string[] = []
  const admitted = admittedOf(trial)
  // a result goes with its call and is missing where the call is; what intake would refuse is nothing that fit left out
  const follows = (index: number): boolean => {
    const one = admitted[index]
    return one?.ok !== true || (one.item.parts.length === 0 && one.results.length > 0)
  }
  const covered = trial.result.receipt.summary?.messages ?? 0
  // what is recalled is missing from its place, unless a summary stands there
  const isMissing = (one: Fated | undefined, i: number): boolean =>
    one?.fate === 'dropped' ? i >= covered || one.stage !== 'fit' : one?.fate === 'recalled' && i >= covered
  const missing = (from: number, to: number, stage?: string): number =>
    fates.filter(
      (one, i) => i >= from && i < to && isMissing(one, i) && (!stage || (one?.stage === stage && !follows(i))),
    ).length
  const loose = fates.filter((one, i) => one?.fate === 'dropped' && follows(i)).length
  const isMarker = ({ fate, mark }: WindowItem): boolean => fate === 'marker' && mark !== 'summary' && mark !== 'recall'
  const markers = items.filter(isMarker)
  if (gap.form !== 'message' && markers.length > 0) out.push('a marker no policy asks for')
  if (gap.form === 'prefix') {
    const said = items.filter((item) => item.index !== null)
    // what someone pinned stands before the place where something is missing
    const first = said.find((item) => item.text.startsWith(gap.text)) ?? said[0]
    const has = first?.text.startsWith(gap.text) ?? false
    const due = missing(0, fates.length, 'fit') > 0
    const own =
      first?.index != null &&
      strings(trial.input.messages[first.index]).some((text) => text.trim().startsWith(gap.text.trim()))
    if (first && has !== due && !own)
      out.push(due ? 'no prefix, though messages are missing' : 'a prefix, though nothing is missing')
  }
  if (gap.form === 'message') {
    let from = 0
    let marker: string | null = null
    const close = (to: number): void => {
      const left = missing(from, to, 'fit')
      if (left > 0 && marker === null) out.push(`no marker for ${left} messages between ${from} and ${to}`)
      if (left === 0 && marker !== null) out.push(`a marker at ${to}, where fit left nothing out: ${marker}`)
      const said = Number(/\d+/.exec(marker ?? '')?.[0] ?? left)
      if (marker !== null && (said < left || said > missing(from, to) + loose))
        out.push(`${marker} for ${left} to ${missing(from, to)} messages`)
    }
    for (const item of items) {
      if (isMarker(item)) {
        if (marker !== null) out.push('two markers in one place')
        marker = item.text
      } else if (item.index !== null) {
        close(item.index)
        from = item.index + 1
        marker = null
      }
    }
    close(fates.length)
  }
  const wire = pieces(trial)
  for (const { text, role } of markers) {
    if (role === 'user' || wire.some((piece) => piece.role === 'user' && piece.text === text))
      out.push(`the user says ${text}`)
    if (!wire.some((piece) => piece.role !== 'user' && piece.text.includes(text)))
      out.push(`${text} is not on the wire`)
  }
  if (markers.some((item) => item.index !== null)) out.push('a message is taken for a marker')
  return out
}

/** P-15: `whole` is the same input without any limit. */
export function minimal(trial: Good, whole: Good): string[] {
  const { receipt } = trial.result
  const left = receipt.lines.filter((line) => line.stage === 'fit' && line.fate === 'dropped')
  if (receipt.budget.limit === null && left.length > 0) return ['left out without a limit']
  const room = receipt.budget.tokens
  if (receipt.budget.limit !== 'tokens' || room === null || left.length === 0) return []
  const { counter } = meterOf(trial)
  // without a current message there must be room for the word that asks for an answer
  const cue = trial.input.current === undefined ? counter.count(closingCue) + 8 : 0
  // what mend cannot send was weighed before mend saw it
  const mended = whole.result.receipt.lines.filter(({ stage }) => stage === 'mend')
  const all = mended.reduce((sum, { tokens }) => sum + (tokens?.[0] ?? 0), whole.result.receipt.budget.used + cue)
  return all <= room ? [`all takes ${all} of ${room}, yet ${left.length} lines are left out`] : []
}

/** P-16 */
export const pinned: Law = (trial) => {
  const { pin } = trial.policy.fit
  if (pin.first === 0) return []
  const admitted = admittedOf(trial)
  const first = admitted.findIndex(
    (one, i) =>
      one.ok &&
      one.item.parts.some((part) => (part.type === 'text' ? !isBlank(part.text) : part.type !== 'think')) &&
      (pin.of === 'user'
        ? one.item.role === 'user'
        : one.item.role !== 'system' || admitted.slice(0, i).every(isSystem)),
  )
  const one = admitted[first]
  if (!one?.ok || trial.input.marks?.excluded?.includes(one.item.id ?? '')) return []
  // a tagged prompt has no place for a system message
  if (one.item.role === 'system' && trial.target === 'text-tagged') return []
  const item = trial.result.items.find((shown) => shown.index === first)
  const again =
    one.item.id !== undefined && trial.result.items.some((shown) => shown.index !== first && shown.id === one.item.id)
  if (!item) return again ? [] : [`message ${first}, which is pinned, is missing`]
  const head = tagsIn(spoken(one.item))[0]
  const wire = pieces(trial).flatMap((piece) => tagsIn(piece.text))
  return !head || wire.some(({ text }) => text === head.text)
    ? []
    : [`message ${first}, which is pinned, is not on the wire`]
}

const isSystem = (one: ReturnType<typeof admittedOf>[number]): boolean => one.ok && one.item.role === 'system'

/** P-17 */
export const noDuplicates: Law = (trial) => {
  const { items } = trial.result
  const out: string[] = []
  const seen = new Map<string, string>()
  for (const item of items) {
    if (item.id === undefined) continue
    const content = JSON.stringify([item.role, item.parts])
    if (seen.get(item.id) === content && !item.clipped) out.push(`${item.id} is there twice`)
    seen.set(item.id, content)
  }
  const indices = items.flatMap((item) => (item.index === null ? [] : [item.index]))
  if (new Set(indices).size !== indices.length) out.push(`indices ${indices}`)
  const said = pieces(trial).flatMap((piece) => tagsIn(piece.text))
  const times = said.filter(({ text }) => text === currentTag).length
  const cut = trial.result.receipt.current?.fate === 'clipped'
  if (!cut && times !== (trial.input.current === undefined ? 0 : 1))
    out.push(`the current message is there ${times} times`)
  const given = placesOf(trial.input.messages)
  const counts = new Map<string, number>()
  for (const { text, kind } of said) if ('uas'.includes(kind)) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const [text, count] of counts)
    if (text !== currentTag && count > (given.get(text)?.length ?? 0))
      out.push(`${text} was said ${given.get(text)?.length} times, not ${count}`)
  return out
}

const voices: Readonly<Record<string, readonly string[]>> = {
  u: ['user'],
  f: ['user'],
  a: ['assistant'],
  h: ['assistant'],
  c: ['assistant'],
  r: ['tool', 'assistant'],
}

/** P-22 */
export const noPrivilege: Law = (trial) => {
  const out: string[] = []
  const system = trial.policy.intake.system === 'lead' ? ['system'] : []
  for (const piece of pieces(trial))
    for (const { kind, text } of tagsIn(piece.text)) {
      // a quotation has the lowest voice there is; a text has no voices but its labels
      if (isQuoted(trial, piece.text) && (piece.role === 'user' || piece.mark)) continue
      const allowed = kind === 's' ? system : (voices[kind] ?? [])
      if (!allowed.includes(piece.role)) out.push(`${text} speaks as ${piece.role}`)
    }
  return out
}

const over = (text: string, cut: Cut | null): boolean => cut !== null && length(text) > cut.over

/** P-26: for the presets that promise it. */
export const capped: Law = ({ policy, result, preset, input }) => {
  if (preset !== 'balanced' && preset !== 'handoff-balanced') return []
  const out: string[] = []
  const newest = result.items.findLastIndex((item) => item.role === 'user')
  result.items.forEach((item, i) => {
    if (item.fate === 'marker' || item.role === 'system' || input.marks?.whole?.includes(item.id ?? '')) return
    const exempt = policy.clip.newestWhole && i === newest
    if (!exempt && over(item.text, policy.clip[item.role]))
      out.push(`${item.role} ${item.index}: ${length(item.text)} characters`)
    for (const part of item.parts) {
      if (part.type !== 'call' || part.outcome.state === 'pending') continue
      for (const one of part.outcome.output)
        if (one.type === 'text' && over(one.text, policy.clip.tool))
          out.push(`result ${part.id}: ${length(one.text)} characters`)
    }
  })
  return out
}

/** P-16, for what people decided: kept to, or told otherwise. */
export const heeded: Law = (trial) => {
  const { input, result, policy } = trial
  const { items, receipt } = result
  const { pinned = [], excluded = [], whole = [] } = input.marks ?? {}
  const fates = fatesOf(trial)
  const out: string[] = []
  const told = (code: string, id: string): boolean =>
    receipt.warnings.some((warning) => warning.code === code && warning.value === id)
  const admitted = admittedOf(trial)
  for (const id of excluded) {
    const at = input.messages.findLastIndex((message) => (message as { id?: string } | null)?.id === id)
    const fate = fates[at]
    if (told('mark.excluded', id)) continue
    if (items.some((item) => item.id === id)) out.push(`${id} is excluded, but there`)
    // wherever it stands, the receipt says who left it out
    if (admitted[at]?.ok && fate?.stage === 'fit' && fate.fate === 'dropped')
      out.push(`${id} is excluded, not ${fate.rule}`)
  }
  for (const id of pinned) {
    if (excluded.includes(id)) continue
    const at = trial.input.messages.findLastIndex((message) => (message as { id?: string } | null)?.id === id)
    const shown = items.some((item) => item.id === id) || fates[at]?.rule === 'fold.inline'
    if (!shown && !told('mark.pinned', id)) out.push(`${id} is pinned, but not there`)
  }
  for (const item of items) {
    const one = item.index === null ? undefined : admitted[item.index]
    if (!one?.ok || !whole.includes(item.id ?? '') || /^(?:fit\.oversize|mark\.pinned|fold\.files)$/.test(item.rule))
      continue
    const prefix = policy.fit.gap.form === 'prefix' ? policy.fit.gap.text : ''
    if (![spoken(one.item), prefix + spoken(one.item)].includes(item.text)) out.push(`${item.id} is to be whole`)
  }
  return [...out, ...quotations(trial)]
}

/** One item, just before the message to answer, whose blocks can be told apart whatever they say. */
function quotations({ result, input, policy }: Good): string[] {
  const { items, receipt } = result
  const out: string[] = []
  const quoted = items.filter((item) => item.mark === 'recall')
  if (quoted.length !== (receipt.recall ? 1 : 0)) return [`${quoted.length} quotations`]
  const [only] = quoted
  if (!only || !receipt.recall) return []
  const next = items[items.indexOf(only) + 1]
  const last = items.findLastIndex((item) => item.role === 'user' && item.fate !== 'marker')
  if (input.current !== undefined ? next?.fate !== 'current' : items.indexOf(only) + 1 !== last)
    out.push(`it stands before ${next?.fate} ${next?.index}`)
  if (only.role !== 'user') out.push(`${only.role} quotes`)
  const heads = only.text
    .split(/\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/)
    .filter((line) => line !== '' && !line.startsWith(' '))
  const [label, ...rest] = heads
  const blocks = rest.filter((line) => /^(?:\d+ )?(?:system|user|assistant|tool): /.test(line))
  const headings = rest.filter((line) => /^\((?:from: [^()]+)?(?:(?:, )?\d{4}-\d\d-\d\d)?\)$/.test(line))
  const isSound = blocks.length === receipt.recall.items.length && blocks.length + headings.length === rest.length
  if (label !== policy.recall.text || !isSound)
    out.push(`${blocks.length} blocks for ${receipt.recall.items.length}: ${JSON.stringify(heads)}`)
  const places = receipt.recall.items.flatMap(({ index }) => (index === null ? [] : [index]))
  if (places.some((place, i) => i > 0 && place <= (places[i - 1] as number))) out.push(`quoted in the order ${places}`)
  return out
}

/** What was said, by whom. */
const sayings = (items: readonly WindowItem[]): string[] =>
  items.filter((item) => item.fate !== 'marker').map((item) => `${item.author ?? item.role}: ${item.text.trim()}`)

const calls = (items: readonly WindowItem[]): string =>
  JSON.stringify(items.flatMap((item) => item.parts.filter((part) => part.type === 'call')))

/** P-08: `again` was built from the items of `first`. Tools may be abbreviated further as the border moves. */
export function idempotent(first: Good, again: Trial): string[] {
  if (!again.result.ok) return [`its own window is refused: ${again.result.error.message}`]
  const [one, two] = [sayings(first.result.items), sayings(again.result.items)]
  if (one.length !== two.length) return [`${one.length} items became ${two.length}`]
  const at = one.findIndex((said, i) => said !== two[i])
  if (at >= 0)
    return [`item ${at} changed: ${JSON.stringify(one[at]?.slice(0, 80))} to ${JSON.stringify(two[at]?.slice(0, 80))}`]
  if (first.policy.fold.tools === 'abbreviate' || calls(first.result.items) === calls(again.result.items)) return []
  return ['the calls have changed']
}

/** P-09 */
export function sameBytes(one: Trial, other: Trial, whole = true): string[] {
  if (!one.result.ok || !other.result.ok) {
    const [first, second] = [one, other].map(({ result }) => (result.ok ? 'ok' : result.error.code))
    return first === second ? [] : [`once ${first}, once ${second}`]
  }
  const out: string[] = []
  if (JSON.stringify(one.result.rendered) !== JSON.stringify(other.result.rendered)) out.push('other bytes')
  if (one.result.receipt.wire.hash !== other.result.receipt.wire.hash) out.push('another hash')
  if (one.result.receipt.policy.hash !== other.result.receipt.policy.hash) out.push('another policy')
  if (whole && JSON.stringify(one.result) !== JSON.stringify(other.result)) out.push('another result')
  return out
}

/** P-09: the hash in the receipt is that of the request. */
export const trueHash: Law = ({ result: { rendered, receipt } }) => {
  const wire = typeof rendered === 'string' ? rendered : JSON.stringify(rendered)
  const hash = createHash('sha256').update(wire).digest('hex')
  return hash === receipt.wire.hash && wire.length === receipt.wire.length
    ? []
    : ['the receipt has the hash of something else']
}

/** Its words are on the wire, in whatever item. */
const isSaid = (trial: Good, item: WindowItem): boolean => {
  const [tag] = tagsIn(item.text)
  return !tag || pieces(trial).some((piece) => piece.text.includes(tag.text))
}

/** P-12: `small` had the smaller budget. */
export function monotone(small: Trial, big: Trial): string[] {
  if (!small.result.ok) return []
  if (!big.result.ok)
    return [`${small.options.budget} is enough, ${big.options.budget} is refused: ${big.result.error.message}`]
  // a summary that has room now takes the place of other messages: no policy promises otherwise
  if (!small.result.receipt.summary && big.result.receipt.summary) return []
  const out: string[] = []
  const later = new Map(big.result.items.map((item) => [item.index, item]))
  const fates = fatesOf(big as Good)
  for (const item of small.result.items) {
    if (item.index === null) continue
    const fate = fates[item.index]
    // a message that stands again under its id, to the letter, is kept at its newest place
    const again = (one: WindowItem): boolean =>
      fate?.rule === 'duplicate' && item.id !== undefined && one.id === item.id
    const grown = later.get(item.index) ?? big.result.items.find(again)
    // told by a summary that has room now, or in the words of its turn, on which the wire agrees
    if (!grown && (fate?.fate === 'summarised' || (fate?.rule === 'fold.inline' && isSaid(big as Good, item)))) continue
    if (!grown) out.push(`message ${item.index} is kept with ${small.options.budget}, gone with ${big.options.budget}`)
    // a pinned opener is cut to its share once other turns stand between it and the newest
    else if (
      length(grown.text) < length(item.text) &&
      small.policy.fit.gap.form !== 'prefix' &&
      grown.rule !== 'fit.oversize'
    )
      out.push(
        `message ${item.index} has ${length(item.text)} characters with ${small.options.budget}, ${length(grown.text)} with ${big.options.budget}`,
      )
  }
  return out
}

/** P-10: objects of the input that stand in the output too. */
export function aliases(input: unknown, output: unknown): string[] {
  const mine = new Set<object>()
  collect(input, mine)
  const theirs = new Map<object, string>()
  paths(output, 'result', theirs)
  return [...theirs].filter(([object]) => mine.has(object)).map(([, path]) => `${path} is the input's own object`)
}

function collect(value: unknown, into: Set<object>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  into.add(value)
  for (const inner of Object.values(value)) collect(inner, into)
}

function paths(value: unknown, path: string, into: Map<object, string>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  into.set(value, path)
  for (const [key, inner] of Object.entries(value)) paths(inner, `${path}.${key}`, into)
}

/** P-18: the stable part of a request, without its last element, as bytes. */
export function stable(rendered: unknown): string {
  if (typeof rendered === 'string')
    return rendered.replace(/(?:<\/conversation_history>|\n(?:📊 )?History metadata)[\s\S]*$/, '')
  const { messages, input, contents } = rendered as Record<string, readonly unknown[] | undefined>
  const list = messages ?? input ?? contents ?? []
  return list
    .slice(0, -1)
    .map((one) => JSON.stringify(one))
    .join('\n')
}

/** The later request begins with the earlier one. */
export const extended = (earlier: unknown, later: unknown): string[] =>
  bytesOf(later).startsWith(stable(earlier)) ? [] : ['the prefix has changed']

function bytesOf(rendered: unknown): string {
  if (typeof rendered === 'string') return rendered
  const { messages, input, contents } = rendered as Record<string, readonly unknown[] | undefined>
  return (messages ?? input ?? contents ?? []).map((one) => JSON.stringify(one)).join('\n')
}
