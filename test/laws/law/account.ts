/** The receipt adds up. */
import type { Line } from '../../../src/index.js'
import { type Good, pieces } from '../trial.js'
import { type Fated, fatesOf, type Law, tagsIn } from './read.js'

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
