/** The account of one window: the fate of every message, the rule that decided it, the tokens. */
import type { Issue } from '../message/issue.js'
import type { Target } from '../message/target.js'
import { nothing, type Size } from '../render/size.js'

/** What became of a message on its way into the window. */
export type Fate = 'kept' | 'clipped' | 'folded' | 'summarised' | 'recalled' | 'dropped'
/** The step of assembly that decided it. */
export type Stage = 'intake' | 'fold' | 'clip' | 'fit' | 'mend'

/** A run of messages that share a fate, positions inclusive. */
export interface Line {
  readonly from: number
  readonly to: number
  readonly fate: Fate
  readonly stage: Stage
  readonly rule: string
  /** Null when the messages were not looked at and no account of them was asked for. */
  readonly tokens: readonly [before: number, after: number] | null
  readonly chars: readonly [before: number, after: number] | null
  /** Tokens it would take to bring them back whole. */
  readonly restore: number | null
  /** Not all of them were looked at: their size before is worked out from some of them. */
  readonly estimated?: true
}

/** The account of a window: what each message became, why, and what the request costs. `explain` says it in words. */
export interface Receipt {
  readonly schema: 'throughline.receipt/1'
  readonly policy: { readonly name: string; readonly hash: string; readonly compat?: 'literal' }
  readonly target: Target
  readonly model: {
    readonly id: string
    readonly family: string
    readonly window: number
    readonly source: 'catalog' | 'assumed' | 'given'
  } | null
  readonly counter: { readonly name: string; readonly exact: boolean }
  /** The request in numbers: what every surface prints. */
  readonly request: RequestNumbers
  readonly budget: {
    /** Tokens the window may have; null when the policy sets no token limit. */
    readonly tokens: number | null
    readonly used: number
    readonly free: number | null
    readonly reserve: { readonly system: number; readonly tools: number; readonly response: number }
    /** The limit that bit. */
    readonly limit: string | null
    /** By how much a floor or an exempt message holds the window over its limit. */
    readonly excess: number
  }
  readonly totals: {
    /** Places that hold no message are not counted. */
    readonly messages: number
    readonly kept: number
    readonly clipped: number
    readonly folded: number
    readonly summarised: number
    readonly recalled: number
    readonly dropped: number
    readonly tokens: { readonly before: number | null; readonly after: number }
  }
  /** In the order of the input; every message is in exactly one line. */
  readonly lines: readonly Line[]
  /** The current message, which is not part of the history. */
  readonly current: {
    readonly fate: Fate
    readonly rule: string
    readonly tokens: readonly [before: number, after: number]
  } | null
  /** Markers in the window: before which message they stand, and how many messages are missing there. */
  readonly gaps: readonly { readonly before: number; readonly missing: number }[]
  /** What mend changed so that the target accepts the window. */
  readonly mended: readonly { readonly rule: string; readonly count: number }[]
  readonly warnings: readonly Issue[]
  /** The request as it goes out: SHA-256 of its JSON (or of the text), and its length in UTF-16 units. */
  readonly wire: { readonly hash: string; readonly length: number }
  readonly risks?: readonly Risk[]
  /** How full the window is once something has to give way, and why. */
  readonly room?: WindowRoom
  /** The summary that stands for the beginning. */
  readonly summary?: {
    readonly id?: string
    readonly until: string
    /** How many messages it covers. */
    readonly messages: number
    readonly tokens: number
  }
  /** What was brought back for the message to answer, in the order it is quoted. */
  readonly recall?: {
    readonly items: readonly RecallLine[]
    readonly tokens: number
    /** The share of the budget that the newest turns leave to it. */
    readonly share: number
    /** `past` when the message asks about the past, so that it may have more. */
    readonly why: RecallShare
  }
}

/** How much of the budget is left free, and why: `explain` puts it in words. */
export interface WindowRoom {
  /** `steps`: room for several turns is freed at once, so that the requests in between begin alike; `full`: all that fits is used. */
  readonly mode: 'steps' | 'full'
  /** `cached`: the provider charges less for a beginning it knows; `too_short`: it does not keep one this short; `policy`: the policy moves without steps. */
  readonly why: 'cached' | 'not_cached' | 'too_short' | 'policy'
  /** Tokens that are left for the next turns. */
  readonly free: number
  /** About how many turns as long as those in the window fit into a step; 0 without steps. */
  readonly turns: number
  /** What the history of one request costs on average, in tokens at the full price: in steps, and with a window that is always full. */
  readonly price: { readonly steps: number; readonly full: number }
  /** The next step comes after about so many tokens and saves so many; so many are then sent that the provider has not cached. */
  readonly next?: { readonly after: number; readonly saves: number; readonly costs: number }
}

/** `alone`: the message asks only about the past, so a long newest turn gives way to what is recalled. */
export type RecallShare = 'usual' | 'past' | 'alone'

/** A message that was quoted from outside the window, and why. */
export interface RecallLine {
  readonly id: string
  /** Null when it is from another conversation. */
  readonly index: number | null
  readonly score: number
  readonly reason: string
  readonly tokens: number
  /** A memory rather than a message; its id is that of the memory. */
  readonly kind?: 'memory'
  /** The title and the id of the conversation it is from, when that is another. */
  readonly from?: string
  readonly conversation?: string
}

/** Something specific that stands only in what was left out. */
export interface Risk {
  readonly kind: 'path' | 'command' | 'number' | 'url' | 'name' | 'reference' | 'amount' | 'decision'
  readonly text: string
  readonly message: number
}

/** What became of one message. */
export interface Entry {
  readonly fate: Fate
  readonly stage: Stage
  readonly rule: string
  readonly before: Size
  readonly after: Size
}

/** Collects the fates of the messages from position `low` on; everything below is one unread run. */
export class Ledger {
  readonly #low: number
  readonly #entries: (Entry | undefined)[]
  readonly #claimed: boolean[] = []

  constructor(low: number, high: number) {
    this.#low = low
    this.#entries = new Array(high - low)
  }

  /** The message has words of its own: no result that it carries speaks for it. */
  claim(index: number): void {
    this.#claimed[index - this.#low] = true
  }

  isClaimed(index: number): boolean {
    return this.#claimed[index - this.#low] === true
  }

  /** The first word counts. */
  set(index: number, entry: Entry): void {
    this.#entries[index - this.#low] ??= entry
  }

  /** For a message that only carries results: together they are what it says, and one that is sent speaks for it. */
  setResult(index: number, entry: Entry): void {
    if (this.isClaimed(index)) return
    const other = this.#entries[index - this.#low] ?? { ...entry, before: nothing, after: nothing }
    const told = isSentAs(entry.fate) && !isSentAs(other.fate) ? entry : other
    const [before, after] = [sumOf(other.before, entry.before), sumOf(other.after, entry.after)]
    this.#entries[index - this.#low] = { ...told, before, after }
  }

  replace(index: number, entry: Entry): void {
    this.#entries[index - this.#low] = entry
  }

  get(index: number): Entry | undefined {
    return this.#entries[index - this.#low]
  }

  /** Everything in its order; what no one spoke of is `fallback`. */
  enterInto(lines: DraftLine[], each: EachMessage[], fallback: Entry): void {
    for (let i = 0; i < this.#entries.length; i++) enterOne(lines, each, this.#low + i, this.#entries[i] ?? fallback)
  }
}

export const sumOf = (one: Size, other: Size): Size => ({
  tokens: one.tokens + other.tokens,
  chars: one.chars + other.chars,
})

type Pair = [before: number, after: number]

/** A line while messages are still added to it. */
export interface DraftLine extends Line {
  to: number
  readonly tokens: Pair | null
  readonly chars: Pair | null
  restore: number | null
  estimated?: true
}

/** One message, in its line and by itself. */
export function enterOne(lines: DraftLine[], each: EachMessage[], index: number, entry: Entry): void {
  enterLine(lines, index, index, entry)
  if (isSentAs(entry.fate)) each.push([index, entry.after.tokens, entry.before.tokens])
}

/** A run of messages; neighbours that share a fate and its reason are one line. Nothing is known of the size of some. */
export function enterLine(
  lines: DraftLine[],
  from: number,
  to: number,
  { fate, stage, rule, before, after }: Omit<Entry, 'before'> & { readonly before: Size | null },
): void {
  let line = lines.at(-1)
  if (!line || line.fate !== fate || line.rule !== rule || line.stage !== stage || !line.tokens !== !before) {
    const sizes = before ? { tokens: [0, 0] as Pair, chars: [0, 0] as Pair, restore: 0 } : unknown
    line = { from, to, fate, stage, rule, ...sizes }
    lines.push(line)
  }
  line.to = to
  if (!before || !line.tokens || !line.chars) return
  if (before.estimated) line.estimated = true
  line.tokens[0] += before.tokens
  line.tokens[1] += after.tokens
  line.chars[0] += before.chars
  line.chars[1] += after.chars
  line.restore = Math.max(0, line.tokens[0] - line.tokens[1])
}

const unknown = { tokens: null, chars: null, restore: null }

export const dropped = <S extends Size | null>(stage: Stage, rule: string, before: S) =>
  ({ fate: 'dropped', stage, rule, before, after: nothing }) as const

/** The rule of a place that holds no message: a summary or a note stands there in the log, and no one lost it. */
export const noMessage = 'no_message'

export function totalsOf(lines: readonly Line[], places: number, after: number): Receipt['totals'] {
  const counts = { kept: 0, clipped: 0, folded: 0, summarised: 0, recalled: 0, dropped: 0 }
  let messages = places
  let before: number | null = 0
  for (const line of lines) {
    const count = line.to - line.from + 1
    if (line.rule === noMessage) messages -= count
    else counts[line.fate] += count
    before = before === null || line.tokens === null ? null : before + line.tokens[0]
  }
  return { messages, ...counts, tokens: { before, after } }
}

// One request in numbers. Every surface prints these and no others.

/** What the tokens of a request are spent on; together they are all of it. */
export interface RequestParts {
  readonly system: number
  readonly tools: number
  /** What the provider adds around the request, and cues that make the order of roles legal. */
  readonly frame: number
  /** Messages of the history, as far as they are sent where they were said. */
  readonly history: number
  readonly summary: number
  /** Earlier messages and memories that are quoted before the message to answer. */
  readonly recall: number
  /** Words that say where messages are missing. */
  readonly markers: number
  /** The message to answer, when it is not part of the history. */
  readonly current: number
}

/** Tokens of the whole request beside its limits. */
export interface RequestNumbers {
  /** Tokens that the model takes, its answer included; null when no model is named. */
  readonly window: number | null
  /** Tokens that the request may have, system prompt and tools included; null without a limit. */
  readonly budget: number | null
  /** Tokens that it has: the sum of `parts`. */
  readonly used: number
  readonly free: number | null
  readonly parts: RequestParts
  /** Messages that are sent in any form, of those there are; the message to answer is one. */
  readonly messages: { readonly sent: number; readonly of: number }
  /** Tokens of messages, sent and whole; null where not all were counted, estimated where not all were looked at. */
  readonly tokens: { readonly sent: number; readonly of: number | null; readonly estimated?: true }
  /** Each message of the history that is sent in any form: where it stands, its tokens sent and whole. */
  readonly each: readonly EachMessage[]
}

export type EachMessage = readonly [index: number, sent: number, whole: number]

/** The message is in the request, if not as it was said. */
export const isSentAs = (fate: Fate): boolean => fate !== 'dropped' && fate !== 'summarised'

export const usedOf = (parts: RequestParts): number => Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
