/** The account of every message: which line of the receipt it stands in. */
import type { Issue, IssueCode } from '../message/issue.js'
import type { Target } from '../message/target.js'
import { length, wellFormed } from '../message/text.js'
import type { EachMessage } from '../receipt/receipt.js'
import {
  type DraftLine,
  dropped,
  type Entry,
  enterLine,
  enterOne,
  Ledger,
  type Line,
  noMessage,
  type Stage,
  sumOf,
} from '../receipt/receipt.js'
import { nothing, type Size } from '../render/size.js'
import type { Input } from './assemble.js'
import type { Fitted } from './fitted.js'
import type { Place } from './lay.js'
import type { Kept, Load } from './load.js'
import type { Where } from './memo.js'
import type { Mended } from './mend/mend.js'
import type { Budget, Options, Prepared } from './plan.js'
import type { Taken } from './recall.js'
import { type Shape, shape } from './shape.js'
import type { Standing } from './summary.js'
import { estimateOf, totalOf } from './sums.js'
import { say } from './voice.js'
import type { Slot, Walk } from './walk.js'

export interface Accounts {
  readonly given: Input
  readonly messages: readonly unknown[]
  readonly floor: number
  readonly leading: number
  readonly walk: Walk
  readonly pinned: () => readonly number[]
  /** Messages that people pinned. */
  readonly marked: () => readonly Kept[]
  readonly where: Where
  /** Places of excluded messages before those that the walk came to. */
  readonly excluded: () => readonly number[]
  /** Positions before the pinned messages that hold nothing usable. */
  readonly unusable: () => readonly number[]
  /** Slots that were only validated. */
  readonly rest: readonly Slot[]
  readonly fitted: Fitted
  /** The summary that is in use. */
  readonly standing: Standing | null
  readonly current: Shape | null
  readonly budget: Budget
  readonly room: Load
  readonly plan: Prepared
  readonly options: Options
  readonly warnings: readonly Issue[]
}

/** What mend had to leave out so that the target accepts the rest, and why. */
export function unsent(places: readonly Place[], mended: Mended, target: Target): ReadonlyMap<Place, string> {
  const out = new Map<Place, string>()
  for (const { item, rule, effect } of mended.notes) {
    const place = places[item]
    // a tagged prompt has no system channel to move anything to
    const moved = rule === 'system_moved' && target === 'text-tagged'
    if (
      place &&
      (moved || (effect === 'dropped' && (rule === 'empty' || rule === 'leads_with_user' || rule === 'too_many')))
    )
      out.set(place, rule)
  }
  return out
}

export function enter(books: Accounts, places: readonly Place[], lost: ReadonlyMap<Place, string>): Ledger {
  const { walk, fitted, messages, plan } = books
  const ledger = new Ledger(Math.min(walk.at, messages.length), messages.length)
  const pinned = new Set(fitted.head)
  const rule = `over_${fitted.limit ?? 'tokens'}`
  const sent = places.filter((place) => place.kept && !pinned.has(place.kept))
  // first what the messages say themselves, then the results that they carry for others
  for (const { kept } of sent) if (kept) claim(ledger, kept)
  for (const kept of fitted.left) claim(ledger, kept)
  for (const place of sent) if (place.kept) enterKept(ledger, place.kept, lost.get(place))
  for (const kept of fitted.left) enterDropped(ledger, kept, 'fit', rule)
  const judged = (slot: Slot): Kept => ({ slot, shape: shape(slot.item, 'full', plan.policy, plan.scale), merged: [] })
  for (const slot of books.rest) enterDropped(ledger, judged(slot), 'fit', rule)
  for (const { index, rule: why, size } of walk.lost) ledger.set(index, dropped('intake', why, size))
  for (const index of walk.strays())
    ledger.set(index, dropped('intake', walk.done ? 'orphan' : 'tool_pair', walk.record(index).alone))
  return ledger
}

/** A message that speaks for itself is not taken for the result that it also carries. */
function claim(ledger: Ledger, kept: Kept): void {
  ledger.claim(kept.slot.index)
  for (const slot of kept.merged) ledger.claim(slot.index)
}

const stages = { kept: 'fit', clipped: 'clip', folded: 'fold' } as const

function entryOf(kept: Kept, ledger: Ledger | null, rule = kept.shape.rule): Entry {
  const { fate, rule: why } = kept.shape
  const stage = why === 'fit.oversize' || why === 'mark.pinned' ? 'fit' : stages[fate]
  return { fate, stage, rule, before: own(kept, 'before', ledger), after: own(kept, 'after', ledger) }
}

/** The size of the message by itself, without the results that other messages brought. */
function own({ slot, shape: made }: Kept, when: 'before' | 'after', ledger: Ledger | null): Size {
  if (made.results.length === 0) return made[when]
  let { tokens, chars } = made[when]
  answers(slot, (index, call) => {
    if (ledger?.isClaimed(index)) return
    const result = made.results[call]?.[when] ?? nothing
    tokens -= result.tokens
    chars -= result.chars
  })
  return { tokens: Math.max(0, tokens), chars: Math.max(0, chars) }
}

function enterKept(ledger: Ledger, kept: Kept, unsent: string | undefined): void {
  if (unsent) {
    enterDropped(ledger, kept, 'mend', unsent)
    return
  }
  const entry = entryOf(kept, ledger)
  ledger.set(kept.slot.index, entry)
  answers(kept.slot, (index, i) => {
    const size = kept.shape.results[i] ?? { before: nothing, after: nothing }
    ledger.setResult(index, { ...entry, before: size.before, after: size.after })
  })
  for (const slot of kept.merged) {
    ledger.set(slot.index, { ...entry, before: slot.record.alone, after: nothing })
    answers(slot, (index) => ledger.setResult(index, { ...entry, before: nothing, after: nothing }))
  }
}

function enterDropped(ledger: Ledger, kept: Kept, stage: Stage, rule: string): void {
  const { results } = kept.shape
  ledger.set(kept.slot.index, dropped(stage, rule, own(kept, 'before', ledger)))
  answers(kept.slot, (index, i) => ledger.setResult(index, dropped(stage, rule, results[i]?.before ?? nothing)))
  for (const slot of kept.merged) {
    ledger.set(slot.index, dropped(stage, rule, slot.record.alone))
    answers(slot, (index) => ledger.setResult(index, dropped(stage, rule, nothing)))
  }
}

function answers(slot: Slot, tell: (index: number, call: number) => void): void {
  for (let i = 0; i < slot.answers.length; i++) {
    const index = slot.answers[i] as number
    if (index >= 0 && index !== slot.index) tell(index, i)
  }
}

/** Everything in one line or another: pinned messages, what was never looked at, and what the walk saw. */
export function linesOf(
  books: Accounts,
  ledger: Ledger,
  lost: ReadonlyMap<Place, string>,
  taken: readonly Taken[],
): { readonly lines: Line[]; readonly each: EachMessage[] } {
  const { walk, messages } = books
  const low = Math.min(walk.at, messages.length)
  const lines: DraftLine[] = []
  const each: EachMessage[] = []
  let next = 0
  const known = new Map([...early(books, lost), ...recalled(books, ledger, low, taken)])
  for (const [index, entry] of [...known].sort(byPlace)) {
    if (index >= low) ledger.replace(index, entry)
    else {
      unseen(lines, books, next, index)
      enterOne(lines, each, index, entry)
      next = index + 1
    }
  }
  unseen(lines, books, next, low)
  // a path of the log has places without a message, a list of messages has none
  ledger.enterInto(lines, each, dropped('intake', books.options.places ? noMessage : 'malformed', nothing))
  return { lines, each }
}

const byPlace = ([one]: [number, Entry], [other]: [number, Entry]): number => one - other

/** What the walk did not reach: covered by the summary, older than what is looked at, or left out by a limit. */
function unseen(lines: DraftLine[], books: Accounts, from: number, to: number): void {
  const { fitted, floor, leading, standing } = books
  const covered = standing?.covered ?? 0
  const [first, second] = [clamp(covered, from, to), clamp(Math.max(floor, covered), from, to)]
  const run = (start: number, end: number, stage: Stage, rule: string, fate: 'summarised' | 'dropped'): void => {
    if (start < end) enterLine(lines, start, end - 1, { ...dropped(stage, rule, sum(books, start, end)), fate })
  }
  const led = clamp(leading, from, to)
  if (from < led)
    enterLine(lines, from, led - 1, { fate: 'kept', stage: 'intake', rule: 'system', before: nothing, after: nothing })
  run(Math.max(from, led), first, 'fit', 'fit.summary', 'summarised')
  run(Math.max(first, led), second, 'intake', 'over_messages', 'dropped')
  run(second, to, 'fit', `over_${fitted.limit ?? 'tokens'}`, 'dropped')
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** Quoted before the message to answer. */
function recalled(books: Accounts, ledger: Ledger, low: number, taken: readonly Taken[]): [number, Entry][] {
  return taken.flatMap(({ index, tokens, block, recalled: { text } }): [number, Entry][] => {
    if (index === null) return []
    const known = index >= low ? ledger.get(index)?.before : sum(books, index, index + 1)
    const after = { tokens, chars: Math.min(length(text), length(block)) }
    return [[index, { fate: 'recalled', stage: 'fit', rule: 'recall', before: known ?? after, after }]]
  })
}

/** What is known of the beginning although the walk may not have come so far, in its order. */
function early(books: Accounts, lost: ReadonlyMap<Place, string>): [number, Entry][] {
  const { fitted, walk, unusable, excluded } = books
  if (fitted.limit === null && fitted.head.length === 0) return []
  const unsent = new Map([...lost].map(([place, why]) => [place.kept, why]))
  // what the walk has seen itself it knows better: a result may answer a call that was said before the opener
  const known: [number, Entry][] = unusable()
    .filter((index) => index < walk.at)
    .map((index) => [index, dropped('intake', walk.faultOf(index), nothing)])
  for (const index of excluded()) known.push([index, dropped('intake', 'mark.excluded', walk.record(index).alone)])
  for (const kept of fitted.head) {
    for (const index of new Set([kept.slot.index, ...kept.slot.answers.filter((answer) => answer >= 0)])) {
      known.push([index, pinEntry(kept, index, unsent.get(kept))])
    }
  }
  if (books.plan.marks) known.push(...unpinned(books))
  return known
}

/** What was pinned and had no room; what a summary covers is told by the summary. */
function unpinned({ fitted, marked, standing }: Accounts): [number, Entry][] {
  const sent = [...fitted.head, ...fitted.tail].flatMap(({ slot, merged }) => [slot, ...merged])
  return marked()
    .filter(({ slot }) => !sent.some(({ index }) => index === slot.index) && slot.index >= (standing?.covered ?? 0))
    .map((kept) => [kept.slot.index, dropped('fit', 'mark.pinned', own(kept, 'before', null))])
}

function pinEntry(kept: Kept, index: number, unsent: string | undefined): Entry {
  const entry = entryOf(kept, null, kept.shape.rule === 'fits' ? 'pinned' : kept.shape.rule)
  const size = index === kept.slot.index ? entry : answerSize(kept, index)
  return unsent ? dropped('mend', unsent, size.before) : { ...entry, before: size.before, after: size.after }
}

/** All the results that one message brought. */
function answerSize({ slot, shape: made }: Kept, index: number): { readonly before: Size; readonly after: Size } {
  let [before, after] = [nothing, nothing]
  slot.answers.forEach((answer, call) => {
    const result = made.results[call]
    if (answer !== index || !result) return
    before = sumOf(before, result.before)
    after = sumOf(after, result.after)
  })
  return { before, after }
}

/** A longer run of messages that the window does not need is not counted one by one. */
const looked = 64

function sum({ options, messages, walk, plan }: Accounts, from: number, to: number): Size | null {
  if (options.account === 'window') return null
  if (typeof options.account === 'function') return options.account(from, to)
  if (options.account === undefined && to - from > looked) return estimateOf(from, to, walk)
  return totalOf(messages, from, to, walk, options.memo ? plan.table.sums : null)
}

// What there is to say about a history that was usable all the same.

/** In the order a reader of the history would meet them. */
export function warningsOf(books: Accounts, marked: boolean, excess: number, sent: readonly Place[]): Issue[] {
  const { walk, fitted, plan, rest } = books
  const floor = books.leading === 0 ? books.floor : 0
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
      issue: {
        code: 'admit.lost',
        field: `messages[${index}]`,
        message: wellFormed(`messages[${index}]: ${sentence}`),
      },
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
    for (const slot of rest) cut(slot.index, shape(slot.item, 'full', plan.policy, plan.scale).cut)
  }
  found.sort((one, other) => one.index - other.index || one.rank - other.rank)
  const issues = found.map((one) => one.issue)
  return [...issues, ...closing(books, marked, excess, sent)]
}

function closing(books: Accounts, marked: boolean, excess: number, sent: readonly Place[]): Issue[] {
  const { fitted, plan, messages, given } = books
  const { voice, invalid } = plan.policy.intake
  const kept = fitted.tail.length
  const of = kept + fitted.left.length + books.rest.length
  const issues: Issue[] = []
  if (invalid === 'reject' && voice === 's2' && given.messages != null && of === 0)
    issues.push(say(voice, { code: 'admit.none' }))
  else if (messages.length > 0 && of === 0 && voice !== 's2' && books.floor === books.leading && books.walk.done)
    issues.push(say(voice, { code: 'admit.none' }))
  issues.push(...markWarnings(books, sent))
  if (voice === 's2' && fitted.exceeded && (fitted.limit !== null || marked))
    issues.push(say(voice, { code: 'fit.size', kept, of, limit: `${plan.policy.fit.chars} characters` }))
  if (excess > 0 && books.options.compat !== 'literal') {
    issues.push({
      code: 'fit.excess',
      field: 'messages',
      value: excess,
      message: `what must be kept is over the limit by ${excess}`,
    })
  }
  return issues
}

// what became of decisions that could not be kept to

function markWarnings(books: Accounts, sent: readonly Place[]): Issue[] {
  const { plan, walk, current, given, standing } = books
  const out: Issue[] = []
  const unused = given.summary && !standing && books.fitted.limit !== null && !isExcluded(books, given.summary.id)
  if (unused) out.push(issue('summary.unused', 'summary', given.summary?.until, 'the summary cannot stand here'))
  if (!plan.marks) return out
  const asked = current?.item.id ?? (walk.spared === null ? undefined : idAt(books, walk.spared))
  if (asked !== undefined && isExcluded(books, asked))
    out.push(issue('mark.excluded', 'marks.excluded', asked, 'the message to answer cannot be left out'))
  const shown = new Map<string | undefined, boolean>()
  for (const { kept } of sent)
    for (const { item } of kept ? [kept.slot, ...kept.merged] : []) shown.set(item.id, kept ? isShort(kept) : false)
  for (const id of plan.marks.pinned) {
    const short = current?.item.id === id ? false : shown.get(id)
    if (short === false) continue
    const fate = short ? 'had to be shortened' : 'could not be kept'
    out.push(issue('mark.pinned', 'marks.pinned', id, `a pinned message ${fate}`))
  }
  return out
}

/** By the limits, not by what the policy clips anyway. */
const isShort = ({ shape }: Kept): boolean =>
  shape.fate === 'clipped' && (shape.rule === 'mark.pinned' || shape.rule === 'fit.oversize')

const isExcluded = ({ plan }: Accounts, id: string | undefined): boolean =>
  id !== undefined && (plan.marks?.excluded.has(id) ?? false)

function idAt({ walk }: Accounts, index: number): string | undefined {
  const { admitted } = walk.record(index)
  return admitted.ok ? admitted.item.id : undefined
}

const issue = (code: IssueCode, field: string, value: unknown, message: string): Issue => ({
  code,
  field,
  value,
  message,
})
