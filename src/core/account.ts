/** Closes the books: the window with its markers, the rendered request, and a line for every message. */
import type { Assembled, Input, WindowItem } from './assemble.js'
import { sha256 } from './hash.js'
import { say } from './intake/voice.js'
import type { Slot, Walk } from './intake/walk.js'
import type { Issue } from './issue.js'
import type { Item } from './item.js'
import type { Table } from './memo.js'
import { isClean } from './mend/clean.js'
import { type Mended, mend } from './mend/mend.js'
import type { Options, Prepared } from './plan.js'
import { hashOf } from './policy/hash.js'
import { dropped, type Entry, Ledger, type Line, type Receipt, totalsOf, unread } from './receipt.js'
import { renderMended } from './render/render.js'
import { risksOf } from './risk.js'
import { type Budget, fixedTokens } from './room.js'
import { nothing, type Size, sizeOf } from './size.js'
import { textOf } from './stages/clip.js'
import type { Fitted } from './stages/fit.js'
import { type Gap, gapItem, gapLoad, gapsOf, prefixed } from './stages/gap.js'
import type { Kept, Load } from './stages/load.js'
import { type Shape, shape } from './stages/shape.js'
import { totalOf } from './sums.js'
import type { Window } from './window.js'
import { wireOf } from './wire.js'

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

/** A place in the window: a message, the current message, or a marker. */
interface Place {
  readonly item: Item
  readonly kept: Kept | null
  readonly tokens: number
}

export function settle(books: Accounts): Assembled {
  const { plan, given, current, options } = books
  const laid = lay(books)
  const { places, gaps } = laid
  const window: Window = {
    items: places.map((place) => place.item),
    hasCurrent: current !== null,
    style: plan.policy.render,
    ...(given.system === undefined ? null : { system: given.system }),
    ...(given.tools === undefined ? null : { tools: given.tools }),
    ...(options.model === undefined ? null : { model: options.model }),
  }
  const { target } = plan.scale
  const mended = mend(window, target, (item) => isKnownClean(item, plan.table))
  if (mended.items.length === 0 && needsMessage.has(target))
    return { ok: false, error: emptyWindow(target), warnings: books.warnings }
  const rendered = renderMended(mended, window, target)
  const wire = wireOf(rendered, mended, window, target, plan.table)
  const ledger = enter(books, places, mended)
  const lines = linesOf(books, ledger)
  const warnings = [...books.warnings, ...warningsOf(books, laid.marked)]
  const used = usedTokens(books, places)
  const receipt: Receipt = {
    schema: 'throughline.receipt/1',
    policy: {
      name: plan.policy.name,
      hash: hashOf(plan.policy),
      ...(options.compat ? { compat: options.compat } : null),
    },
    target,
    model: plan.facts && {
      id: plan.facts.id,
      family: plan.facts.family,
      window: plan.facts.window,
      source: plan.facts.source,
    },
    counter: { name: plan.scale.counter.name, exact: plan.scale.counter.exact },
    budget: {
      tokens: books.budget.tokens,
      used,
      free: books.budget.tokens === null ? null : books.budget.tokens - used,
      reserve: books.budget.reserve,
      limit: books.fitted.limit,
      excess: books.fitted.excess,
    },
    totals: totalsOf(lines, books.messages.length, used),
    lines,
    current: current && {
      fate: current.fate,
      rule: current.rule,
      tokens: [current.before.tokens, current.after.tokens],
    },
    gaps,
    mended: tally(mended),
    warnings,
    wire: { hash: (options.digest ?? sha256)(wire), length: wire.length },
    ...(options.risks ? { risks: risksOf(books.messages, lines, wire, plan) } : null),
  }
  return { ok: true, items: places.map((place) => windowItem(place, current)), window, rendered, receipt, warnings }
}

function isKnownClean(item: Item, table: Table): boolean {
  const known = table.clean.get(item)
  if (known !== undefined) return known
  const clean = isClean(item)
  table.clean.set(item, clean)
  return clean
}

const needsMessage = new Set(['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'])

const emptyWindow = (target: string): Issue => ({
  code: 'window.empty',
  field: 'messages',
  message: `there is nothing to send: no usable message and no current one (target ${target})`,
})

/** Head, markers, tail and current message in their order. */
function lay(books: Accounts): {
  readonly places: readonly Place[]
  readonly gaps: readonly Gap[]
  readonly marked: boolean
} {
  const { fitted, floor, plan, messages } = books
  const { gap } = plan.policy.fit
  const start = fitted.tail[0]?.slot.index ?? messages.length
  const missing = fitted.limit === null ? [] : gapsOf(fitted.head, start, floor)
  const inside = fitted.limit === null ? [] : holes(fitted)
  const gaps = gap.form === 'message' ? [...missing, ...inside] : []
  const shown = gap.reserve === 'if-room' ? affordable(books, gaps) : gaps
  const places: Place[] = []
  const tail = [...fitted.tail]
  const marked = gap.form === 'prefix' && tail.length > 0 && (missing.length > 0 || (gap.always && fitted.exceeded))
  if (marked) tail[0] = prefixed(tail[0] as Kept, gap, plan.scale)
  const put = (kept: Kept): void => {
    const before = shown.find((one) => one.before === kept.slot.index)
    if (before) places.push(marker(gapItem(gap, before.missing), books))
    places.push({ item: kept.shape.item, kept, tokens: kept.shape.after.tokens })
  }
  for (const kept of fitted.head) put(kept)
  for (const kept of tail) put(kept)
  const last = shown.find((one) => one.before === messages.length)
  if (last) places.push(marker(gapItem(gap, last.missing), books))
  if (books.current) places.push({ item: books.current.item, kept: null, tokens: books.current.after.tokens })
  return { places, gaps: shown, marked }
}

const marker = (item: Item, books: Accounts): Place => ({ item, kept: null, tokens: gapLoad(1, books.plan).tokens })

/** In a turn that had to be narrowed, messages are missing after its user message. */
function holes(fitted: Fitted): Gap[] {
  const gaps: Gap[] = []
  for (let i = 1; i < fitted.tail.length; i++) {
    const [one, other] = [fitted.tail[i - 1] as Kept, fitted.tail[i] as Kept]
    const missing = fitted.left.filter(
      (kept) => kept.slot.index > one.slot.index && kept.slot.index < other.slot.index,
    ).length
    if (missing > 0) gaps.push({ before: other.slot.index, missing })
  }
  return gaps
}

/** As specification 4 has it literally: the marker goes when there is no room for it. */
function affordable(books: Accounts, gaps: readonly Gap[]): readonly Gap[] {
  const { fitted, room, plan } = books
  let tokens = room.tokens
  for (const kept of [...fitted.head, ...fitted.tail]) tokens -= kept.shape.after.tokens
  return gaps.filter((gap) => {
    const cost = sizeOf(gapItem(plan.policy.fit.gap, gap.missing), plan.scale).tokens
    if (cost > tokens) return false
    tokens -= cost
    return true
  })
}

/** What the window costs, with what the target adds to it. */
function usedTokens(books: Accounts, places: readonly Place[]): number {
  let used = fixedTokens(books.plan)
  for (const place of places) used += place.tokens
  return used
}

function enter(books: Accounts, places: readonly Place[], mended: Mended): Ledger {
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
function linesOf(books: Accounts, ledger: Ledger): Line[] {
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
  return united([...lines, ...ledger.lines(dropped('intake', 'unused', nothing))])
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

const sum = (books: Accounts, from: number, to: number): Size | null =>
  books.options.account === 'window'
    ? null
    : totalOf(books.messages, from, to, books.walk, books.options.memo ? books.plan.table.sums : null)

/** In the order a reader of the history would meet them. */
function warningsOf(books: Accounts, marked: boolean): Issue[] {
  const { walk, fitted, floor, plan, rest } = books
  const { voice, invalid } = plan.policy.intake
  const found: { index: number; rank: number; issue: Issue }[] = []
  for (const { index, note } of walk.lost)
    if (note) found.push({ index, rank: 0, issue: say(voice, { ...note, index: index - floor }) })
  for (const { index, note } of walk.notes)
    found.push({ index, rank: 2, issue: say(voice, { ...note, index: index - floor }) })
  for (const { index, sentence } of walk.vague)
    found.push({
      index,
      rank: 3,
      issue: { code: 'admit.lost', field: `messages[${index}]`, message: `messages[${index}]: ${sentence}` },
    })
  if (invalid === 'reject' && voice === 's2') {
    const cut = (index: number, lengths: Shape['cut']): void => {
      if (lengths)
        found.push({
          index,
          rank: 1,
          issue: say(voice, { code: 'clip.cut', index: index - floor, from: lengths[0], to: lengths[1] }),
        })
    }
    for (const kept of [...fitted.tail, ...fitted.left]) cut(kept.slot.index, kept.shape.cut)
    for (const slot of rest) cut(slot.index, shape(slot.item, 'old', plan.policy, plan.scale).cut)
  }
  found.sort((one, other) => one.index - other.index || one.rank - other.rank)
  const issues = found.map((one) => one.issue)
  return [...issues, ...closing(books, marked)]
}

function closing(books: Accounts, marked: boolean): Issue[] {
  const { fitted, plan, messages, given } = books
  const { voice, invalid } = plan.policy.intake
  const kept = fitted.tail.length
  const of = kept + fitted.left.length + books.rest.length
  const issues: Issue[] = []
  if (invalid === 'reject' && voice === 's2' && given.messages != null && of === 0)
    issues.push(say(voice, { code: 'admit.none' }))
  else if (messages.length > 0 && of === 0 && voice !== 's2' && books.floor === 0 && books.walk.done)
    issues.push(say(voice, { code: 'admit.none' }))
  if (voice === 's2' && fitted.exceeded && (fitted.limit !== null || marked))
    issues.push(say(voice, { code: 'fit.size', kept, of, limit: `${plan.policy.fit.chars} characters` }))
  if (fitted.excess > 0) {
    issues.push({
      code: 'fit.excess',
      field: 'messages',
      value: fitted.excess,
      message: `what must be kept is over the limit by ${fitted.excess}`,
    })
  }
  return issues
}

function tally(mended: Mended): Receipt['mended'] {
  if (mended.notes.length === 0) return []
  const counts = new Map<string, number>()
  for (const { rule } of mended.notes) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts].map(([rule, count]) => ({ rule, count }))
}

function windowItem(place: Place, current: Shape | null): WindowItem {
  const { item, kept, tokens } = place
  if (kept) return describe(item, kept.slot.index, kept.shape.fate, kept.shape.rule, tokens)
  if (current && item === current.item) return describe(item, null, 'current', current.rule, tokens)
  return describe(item, null, 'marker', 'gap', tokens)
}

// one shape for all, and no spread: this runs for every item of every window
function describe(
  item: Item,
  index: number | null,
  fate: WindowItem['fate'],
  rule: string,
  tokens: number,
): WindowItem {
  const out: Mutable<WindowItem> = { index, role: item.role, text: textOf(item), parts: item.parts, fate, rule, tokens }
  if (item.id !== undefined) out.id = item.id
  if (item.author !== undefined) out.author = item.author
  if (item.at !== undefined) out.at = item.at
  if (item.model !== undefined) out.model = item.model
  if (item.clipped !== undefined) out.clipped = item.clipped
  return out
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
