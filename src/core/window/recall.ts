/** Earlier messages that are brought back for the message to answer: one item, quoted, in the order they were said. */

import type { Issue } from '../message/issue.js'
import { type Item, text } from '../message/item.js'
import { isBlank, length, wellFormed } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import type { RecallShare } from '../receipt/receipt.js'
import { isText, sizeOf } from '../render/size.js'
import { cutText } from './cut.js'
import { lighten, wordsIn } from './lighten.js'
import { headingOf, quoteBlock } from './quote.js'
import type { Plan } from './walk.js'

/** One message or memory that was found again. */
export interface Recalled {
  readonly id: string
  /** A memory is no message: it is known beyond one conversation. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'memory'
  readonly text: string
  readonly at?: string
  /** Its position on its path, from 0. */
  readonly place?: number
  /** The title and the id of the conversation it is from, when that is another. */
  readonly from?: string
  readonly conversation?: string
  readonly score: number
  readonly reason: string
}

/** What was found for the message to answer, as a `Recaller` hands it to `assemble`. */
export interface Recall {
  /** Best first. */
  readonly items: readonly Recalled[]
  /** How much room they have: the policy's usual share; all of it, since the message asks about the past; or even some of the newest turn's. */
  readonly share?: RecallShare
  /** Why they may not be the best. */
  readonly warning?: Issue
}

/** Tokens that the newest turns leave to what is recalled. */
export function spareOf({ recall }: Policy, share: RecallShare, budget: number): number {
  return Math.floor(Math.min(Math.max(0, budget) * partOf(recall, share), recall.most ?? Number.POSITIVE_INFINITY))
}

/** Of the budget, this part. */
export const partOf = ({ share: most, usual }: Policy['recall'], share: RecallShare): number =>
  share === 'usual' ? Math.min(usual, most) : most

/** Tokens that a long newest turn keeps when the message asks about the past alone: those of a short answer. */
export const newestOf = (room: number): number => Math.min(room * 0.2, Math.max(room * 0.05, 250))

/** Shorter requests no provider caches: there is no prefix to go easy on. */
const cached = 1_024

/** Of what the newest turns leave, so many tokens it may take. */
export function grantOf(policy: Policy, share: RecallShare, budget: number, left: number): number {
  const most = Math.min(left, policy.recall.most ?? Number.POSITIVE_INFINITY)
  if (share !== 'usual' || !Number.isFinite(budget) || budget < cached) return most
  const spare = spareOf(policy, share, budget)
  // the turns that are yet to come need what a step of the cut frees, and half as much again behind a summary
  return Math.min(most, Math.max(spare, left - (budget - spare) * policy.fit.step * 1.5))
}

/** A short sentence costs so many tokens, with its day. */
const sentence = 60

/** So many tokens are free for memories that always count, however much the history takes. */
export const alwaysRoom = (policy: Policy, budget: number): number =>
  Math.max(spareOf(policy, 'usual', budget) / 2, Math.min(sentence, budget / 8))

/** Tokens that the history leaves to the memories among them that always count. */
export function heldFor(items: readonly Recalled[], plan: Plan, budget: number): number {
  const sure = items.filter(({ role, score, text }) => role === 'memory' && score === 1 && !isBlank(text))
  if (sure.length === 0 || plan.policy.recall.share === 0) return 0
  const bare = sizeOf(itemOf(plan, []), plan.scale).tokens
  const offered = sure.map((recalled) => ({ recalled, index: null, words: wellFormed(recalled.text) }))
  const free = { tokens: bare + alwaysRoom(plan.policy, budget), chars: Number.POSITIVE_INFINITY }
  const taken = take(offered, plan, free)?.taken ?? []
  // one by one they cost a little more than together, and one by one they are taken
  return taken.reduce((sum, { tokens }) => sum + tokens, taken.length > 0 ? bare : 0)
}

export interface Taken {
  readonly recalled: Recalled
  /** Where it stands in the input; null when it is from elsewhere. */
  readonly index: number | null
  readonly block: string
  readonly tokens: number
}

export interface Brought {
  readonly item: Item
  readonly taken: readonly Taken[]
  readonly tokens: number
}

/** Tells whether and where a recalled message may be taken. */
type Index = (one: Recalled) => number | null | false

interface Free {
  readonly tokens: number
  readonly chars: number
}

/** Takes what fits, best first; null when nothing does. When there is too much, long ones leave out what says least about the question. */
export function bring(
  items: readonly Recalled[],
  question: string,
  plan: Plan,
  free: Free,
  index: Index,
): Brought | null {
  const offered = items.flatMap((recalled): Offered[] => {
    const at = isBlank(recalled.text) ? false : index(recalled)
    return at === false ? [] : [{ recalled, index: at, words: wellFormed(recalled.text) }]
  })
  const all = offered.reduce((sum, { words }) => sum + words.length, 0)
  if (all <= free.tokens * usually) return take(offered, plan, free)
  const asked = new Set(wordsIn(question))
  return take(
    offered.map((one) =>
      one.words.length > free.tokens * longest ? one : { ...one, words: lighten(one.words, asked) },
    ),
    plan,
    free,
  )
}

/** A token has about so many characters, and rarely more than so many: a text far too long need not be counted. */
const usually = 4
const longest = 16

interface Offered {
  readonly recalled: Recalled
  readonly index: number | null
  readonly words: string
}

function take(offered: readonly Offered[], plan: Plan, free: Free): Brought | null {
  const ids = new Set<string>()
  const taken: Taken[] = []
  let left = free.tokens - sizeOf(itemOf(plan, []), plan.scale).tokens
  let chars = free.chars - length(plan.policy.recall.text)
  const headings = new Set<string>()
  // one that is cut takes all that is left, so that whole ones go first, and again once it is known what they cost together
  for (const fitting of [first, whole, whole, cut]) {
    for (const one of fitting === first ? leading(offered) : offered) {
      const { recalled, index } = one
      if (ids.has(nameOf(recalled))) continue
      const heading = headings.has(headingOf(recalled)) ? '' : `\n${headingOf(recalled)}`
      const fits = fitting(one, heading, plan, left, chars)
      if (!fits) continue
      ids.add(nameOf(recalled))
      headings.add(headingOf(recalled))
      taken.push({ recalled, index, ...fits })
      left -= fits.tokens
      chars -= length(fits.block) + length(heading) + 1
    }
    left = free.tokens - sizeOf(itemOf(plan, inOrder(taken)), plan.scale).tokens
  }
  for (; taken.length > 0; taken.pop()) {
    const item = itemOf(plan, inOrder(taken))
    const { tokens } = sizeOf(item, plan.scale)
    if (tokens <= free.tokens) return { item, taken: inOrder(taken), tokens }
  }
  return null
}

/** The best message, and the memories that come before it. */
const leading = (offered: readonly Offered[]): readonly Offered[] =>
  offered.slice(0, Math.max(1, 1 + offered.findIndex(({ recalled }) => recalled.role !== 'memory')))

const itemOf = ({ policy }: Plan, taken: readonly Taken[]): Item => ({
  role: 'user',
  mark: 'recall',
  parts: [text([policy.recall.text, ...linesOf(taken)].join('\n'))],
})

/** Where and when is said once for those that stand together. */
const linesOf = (taken: readonly Taken[]): string[] =>
  taken.flatMap(({ recalled, block }, at) => {
    const heading = headingOf(recalled)
    const before = taken[at - 1]
    const goesOn =
      before && before.recalled.conversation === recalled.conversation && headingOf(before.recalled) === heading
    return heading === '' || goesOn ? [block] : [heading, block]
  })

/** An id is one of its conversation. */
export const nameOf = ({ id, conversation }: Pick<Recalled, 'id' | 'conversation'>): string =>
  conversation === undefined ? id : `${conversation}\n${id}`

/** A memory is 0, a message from elsewhere 1, one of this conversation 2. */
export const rungOf = ({ role, from }: Recalled): number => (role === 'memory' ? 0 : from === undefined ? 2 : 1)

/** What is known comes first, then what is from elsewhere; of one path, what was said first. */
const inOrder = (taken: readonly Taken[]): Taken[] =>
  [...taken].sort(
    (one, other) =>
      rungOf(one.recalled) - rungOf(other.recalled) ||
      compare(one.recalled.from ?? '', other.recalled.from ?? '') ||
      // two conversations may have one title
      compare(one.recalled.conversation ?? '', other.recalled.conversation ?? '') ||
      (one.index ?? one.recalled.place ?? 0) - (other.index ?? other.recalled.place ?? 0),
  )

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Less than this of a text says nothing. */
const least = 60

type Fitting = { readonly block: string; readonly tokens: number }

type Fit = (one: Offered, heading: string, plan: Plan, left: number, chars: number) => Fitting | null

const whole: Fit = (one, heading, plan, left, chars) =>
  one.words.length > left * longest ? null : made(one, one.words, heading, plan, left, chars)

/** The best is not left out for being long: it is cut to half of the room. */
const first: Fit = (one, heading, plan, left, chars) =>
  whole(one, heading, plan, left, chars) ??
  cut(one, heading, plan, left / 2, chars) ??
  cut(one, heading, plan, left, chars)

const cut: Fit = (one, heading, plan, left, chars) => {
  const { words } = one
  if (words.length < least * 2) return null
  const fit = (keep: number): Fitting | null => made(one, cutTo(words, keep), heading, plan, left, chars)
  let best = fit(least)
  if (!best) return null
  let [low, high] = [least, Math.min(words.length, Math.ceil(left * longest))]
  while (high - low > 8) {
    const middle = (low + high) >> 1
    const fits = fit(middle)
    if (fits) [best, low] = [fits, middle]
    else high = middle
  }
  return best
}

function made(
  { recalled }: Offered,
  words: string,
  heading: string,
  plan: Plan,
  left: number,
  chars: number,
): Fitting | null {
  const block = quoteBlock(recalled, words)
  const tokens = costOf(`${heading}\n${block}`, plan)
  return tokens <= left && length(block) + length(heading) < chars ? { block, tokens } : null
}

const cutTo = (words: string, keep: number): string =>
  cutText(words, { over: keep, head: keep, tail: 0, mark: ' [… {omitted} characters omitted …]' }, true)?.text ?? words

/** With the seam to the block before it. */
function costOf(block: string, { scale }: Plan): number {
  const { tokens } = sizeOf({ role: 'user', mark: 'recall', parts: [text(block)] }, scale)
  return tokens + 1 - (isText(scale.target) ? 0 : scale.overhead.perMessage)
}
