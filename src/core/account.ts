/** The account of every message: which line of the receipt it stands in. */
import type { Input } from './assemble.js'
import type { Slot, Walk } from './intake/walk.js'
import type { Issue } from './issue.js'
import type { Place } from './lay.js'
import type { Mended } from './mend/mend.js'
import type { Options, Prepared } from './plan.js'
import { dropped, type Entry, Ledger, type Line, unread } from './receipt.js'
import type { Budget } from './room.js'
import { nothing, type Size } from './size.js'
import type { Fitted } from './stages/fit.js'
import type { Kept, Load } from './stages/load.js'
import { type Shape, shape } from './stages/shape.js'
import { totalOf } from './sums.js'

export interface Accounts {
  readonly given: Input
  readonly messages: readonly unknown[]
  readonly floor: number
  readonly walk: Walk
  /** Slots that were only validated. */
  readonly rest: readonly Slot[]
  readonly fitted: Fitted
  readonly current: Shape | null
  readonly budget: Budget
  readonly room: Load
  readonly plan: Prepared
  readonly options: Options
  readonly warnings: readonly Issue[]
}

export function enter(books: Accounts, places: readonly Place[], mended: Mended): Ledger {
  const { walk, fitted, messages } = books
  const ledger = new Ledger(Math.min(walk.at, messages.length), messages.length)
  const pinned = new Set(fitted.head)
  for (const { kept } of places) if (kept && !pinned.has(kept)) enterKept(ledger, kept)
  const rule = `over_${fitted.limit ?? 'tokens'}`
  for (const kept of fitted.left) enterDropped(ledger, kept, rule)
  for (const slot of books.rest) enterSlot(ledger, slot, rule, books)
  for (const lost of walk.lost) ledger.set(lost.index, dropped('intake', lost.rule, lost.size))
  for (const index of walk.strays())
    ledger.set(index, dropped('intake', walk.done ? 'orphan' : 'tool_pair', walk.record(index).alone))
  for (const note of mended.notes) {
    if (note.effect !== 'dropped' || (note.rule !== 'empty' && note.rule !== 'leads_with_user')) continue
    const kept = places[note.item]?.kept
    if (!kept || pinned.has(kept)) continue
    for (const index of indicesOf(kept))
      if (index >= walk.at)
        ledger.replace(index, dropped('mend', note.rule, index === kept.slot.index ? kept.shape.before : nothing))
  }
  return ledger
}

const stages = { kept: 'fit', clipped: 'clip', folded: 'fold' } as const

function entryOf({ shape: made }: Kept, rule = made.rule): Entry {
  const stage = made.rule === 'fit.oversize' ? 'fit' : stages[made.fate]
  return { fate: made.fate, stage, rule, before: own(made, 'before'), after: own(made, 'after') }
}

/** The size of the message by itself, without the results that other messages brought. */
function own(made: Shape, when: 'before' | 'after'): Size {
  if (made.results.length === 0) return made[when]
  let { tokens, chars } = made[when]
  for (const result of made.results) {
    tokens -= result[when].tokens
    chars -= result[when].chars
  }
  return { tokens: Math.max(0, tokens), chars: Math.max(0, chars) }
}

function enterKept(ledger: Ledger, kept: Kept, rule?: string): void {
  const entry = entryOf(kept, rule)
  ledger.set(kept.slot.index, entry)
  answers(kept.slot, (index, i) => {
    const size = kept.shape.results[i] ?? { before: nothing, after: nothing }
    ledger.set(index, { ...entry, before: size.before, after: size.after })
  })
  for (const slot of kept.merged) {
    ledger.set(slot.index, { ...entry, before: slot.record.alone, after: nothing })
    answers(slot, (index) => ledger.set(index, { ...entry, before: nothing, after: nothing }))
  }
}

function enterDropped(ledger: Ledger, kept: Kept, rule: string): void {
  const { results, before } = kept.shape
  ledger.set(kept.slot.index, dropped('fit', rule, results.length > 0 ? own(kept.shape, 'before') : before))
  answers(kept.slot, (index, i) => ledger.set(index, dropped('fit', rule, results[i]?.before ?? nothing)))
  for (const slot of kept.merged) {
    ledger.set(slot.index, dropped('fit', rule, slot.record.alone))
    answers(slot, (index) => ledger.set(index, dropped('fit', rule, nothing)))
  }
}

function enterSlot(ledger: Ledger, slot: Slot, rule: string, books: Accounts): void {
  enterDropped(ledger, { slot, shape: shape(slot.item, 'old', books.plan.policy, books.plan.scale), merged: [] }, rule)
}

function answers(slot: Slot, tell: (index: number, call: number) => void): void {
  for (let i = 0; i < slot.answers.length; i++) {
    const index = slot.answers[i] as number
    if (index >= 0 && index !== slot.index) tell(index, i)
  }
}

const indicesOf = (kept: Kept): number[] => [
  kept.slot.index,
  ...kept.slot.answers.filter((index) => index >= 0),
  ...kept.merged.flatMap((slot) => [slot.index, ...slot.answers.filter((index) => index >= 0)]),
]

/** Everything in one line or another: pinned messages, what was never looked at, and what the walk saw. */
export function linesOf(books: Accounts, ledger: Ledger): Line[] {
  const { walk, fitted, floor, messages } = books
  const low = Math.min(walk.at, messages.length)
  const lines: Line[] = []
  if (floor > 0) lines.push(unread(0, floor - 1, 'intake', 'over_messages', sum(books, 0, floor)))
  let next = floor
  const rule = `over_${fitted.limit ?? 'tokens'}`
  const heads = fitted.head
    .flatMap((kept) =>
      [kept.slot.index, ...kept.slot.answers.filter((index) => index >= 0)].map((index) => ({ kept, index })),
    )
    .sort((one, other) => one.index - other.index)
  for (const { kept, index } of heads) {
    if (index >= low) {
      ledger.replace(index, pinEntry(kept, index))
      continue
    }
    if (index > next) lines.push(unread(next, index - 1, 'fit', rule, sum(books, next, index)))
    const { fate, stage, rule: why, before, after } = pinEntry(kept, index)
    lines.push({
      from: index,
      to: index,
      fate,
      stage,
      rule: why,
      tokens: [before.tokens, after.tokens],
      chars: [before.chars, after.chars],
      restore: Math.max(0, before.tokens - after.tokens),
    })
    next = index + 1
  }
  if (low > next) lines.push(unread(next, low - 1, 'fit', rule, sum(books, next, low)))
  return united([...lines, ...ledger.lines(dropped('intake', 'malformed', nothing))])
}

/** Neighbours that share a fate and its reason are one line. */
function united(lines: readonly Line[]): Line[] {
  const out: Line[] = []
  for (const line of lines) {
    const last = out.at(-1)
    if (
      !last ||
      last.fate !== line.fate ||
      last.rule !== line.rule ||
      last.stage !== line.stage ||
      !last.tokens !== !line.tokens
    )
      out.push(line)
    else
      out[out.length - 1] = {
        ...last,
        to: line.to,
        tokens: pair(last.tokens, line.tokens),
        chars: pair(last.chars, line.chars),
        restore: last.restore === null ? null : last.restore + (line.restore ?? 0),
      }
  }
  return out
}

const pair = (one: Line['tokens'], other: Line['tokens']): Line['tokens'] =>
  one && other && [one[0] + other[0], one[1] + other[1]]

function pinEntry(kept: Kept, index: number): Entry {
  const call = kept.slot.answers.indexOf(index)
  const entry = entryOf(kept, kept.shape.fate === 'kept' ? 'pinned' : kept.shape.rule)
  if (index === kept.slot.index || call < 0) return entry
  const size = kept.shape.results[call] ?? { before: nothing, after: nothing }
  return { ...entry, before: size.before, after: size.after }
}

function sum({ options, messages, walk, plan }: Accounts, from: number, to: number): Size | null {
  if (options.account === 'window') return null
  if (typeof options.account === 'function') return options.account(from, to)
  return totalOf(messages, from, to, walk, options.memo ? plan.table.sums : null)
}
