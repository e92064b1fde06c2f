/** Earlier messages that are brought back for the message to answer: one item, quoted, in the order they were said. */
import type { Plan } from '../intake/walk.js'
import type { Issue } from '../issue.js'
import { type Item, text } from '../item.js'
import type { Policy } from '../policy/schema.js'
import { indent, margin } from '../render/lines.js'
import { isText, sizeOf } from '../size.js'
import { isBlank, length, wellFormed } from '../text.js'
import { cutText } from './cut.js'

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

export interface Recall {
  /** Best first. */
  readonly items: readonly Recalled[]
  /** How much room they have: the policy's usual share; all of it, since the message asks about the past; or even some of the newest turn's. */
  readonly share?: Share
  /** Why they may not be the best. */
  readonly warning?: Issue
}

/** `alone`: the message asks about the past and about nothing else, so that a long newest turn is cut. */
export type Share = 'usual' | 'past' | 'alone'

/** Tokens that the newest turns leave to what is recalled. */
export function spareOf({ recall }: Policy, share: Share, budget: number): number {
  return Math.floor(Math.min(Math.max(0, budget) * partOf(recall, share), recall.most ?? Number.POSITIVE_INFINITY))
}

/** Of the budget, this part. */
export const partOf = ({ share: most, usual }: Policy['recall'], share: Share): number =>
  share === 'usual' ? Math.min(usual, most) : most

/** Tokens that a long newest turn keeps when the message asks about the past alone: those of a short answer. */
export const newestOf = (room: number): number => Math.min(room * 0.2, Math.max(room * 0.05, 250))

/** Of what the newest turns leave, so many tokens it may take. */
export function grantOf(policy: Policy, share: Share, budget: number, left: number): number {
  const most = Math.min(left, policy.recall.most ?? Number.POSITIVE_INFINITY)
  if (share !== 'usual' || !Number.isFinite(budget)) return most
  const spare = spareOf(policy, share, budget)
  // the turns that are yet to come need what a step of the cut frees, and half as much again behind a summary
  return Math.min(most, Math.max(spare, left - (budget - spare) * policy.fit.step * 1.5))
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

/** Takes what fits, best first; null when nothing does. `index` tells whether and where one may be taken. */
export function bring(
  items: readonly Recalled[],
  plan: Plan,
  free: { readonly tokens: number; readonly chars: number },
  index: (one: Recalled) => number | null | false,
): Brought | null {
  const ids = new Set<string>()
  const taken: Taken[] = []
  let left = free.tokens - sizeOf(itemOf(plan, []), plan.scale).tokens
  let chars = free.chars - length(plan.policy.recall.text)
  const headings = new Set<string>()
  // one that is cut takes all that is left, so that whole ones go first, and again once it is known what they cost together
  for (const fitting of [first, whole, whole, cut]) {
    for (const recalled of fitting === first ? items.slice(0, 1) : items) {
      const at = ids.has(nameOf(recalled)) || isBlank(recalled.text) ? false : index(recalled)
      if (at === false) continue
      const heading = headings.has(headingOf(recalled)) ? '' : `\n${headingOf(recalled)}`
      const fits = fitting(recalled, heading, plan, left, chars)
      if (!fits) continue
      ids.add(nameOf(recalled))
      headings.add(headingOf(recalled))
      taken.push({ recalled, index: at, ...fits })
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
    return heading === '' || (before && headingOf(before.recalled) === heading) ? [block] : [heading, block]
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
      (one.index ?? one.recalled.place ?? 0) - (other.index ?? other.recalled.place ?? 0),
  )

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Less than this of a text says nothing. */
const least = 60

type Fitting = { readonly block: string; readonly tokens: number }

type Fit = (recalled: Recalled, heading: string, plan: Plan, left: number, chars: number) => Fitting | null

const whole: Fit = (recalled, heading, plan, left, chars) => {
  const words = wellFormed(recalled.text)
  // a token has rarely more than so many characters: a text far too long need not be counted
  return words.length > left * 16 ? null : made(recalled, words, heading, plan, left, chars)
}

/** The best is not left out for being long: it is cut to half of the room. */
const first: Fit = (recalled, heading, plan, left, chars) =>
  whole(recalled, heading, plan, left, chars) ??
  cut(recalled, heading, plan, left / 2, chars) ??
  cut(recalled, heading, plan, left, chars)

const cut: Fit = (recalled, heading, plan, left, chars) => {
  const words = wellFormed(recalled.text)
  if (words.length < least * 2) return null
  const fit = (keep: number): Fitting | null => made(recalled, cutTo(words, keep), heading, plan, left, chars)
  let best = fit(least)
  if (!best) return null
  let [low, high] = [least, Math.min(words.length, Math.ceil(left * 16))]
  while (high - low > 8) {
    const middle = (low + high) >> 1
    const fits = fit(middle)
    if (fits) [best, low] = [fits, middle]
    else high = middle
  }
  return best
}

function made(
  recalled: Recalled,
  words: string,
  heading: string,
  plan: Plan,
  left: number,
  chars: number,
): Fitting | null {
  const block = blockOf(recalled, words)
  const tokens = costOf(`${heading}\n${block}`, plan)
  return tokens <= left && length(block) + length(heading) < chars ? { block, tokens } : null
}

const cutTo = (words: string, keep: number): string =>
  cutText(words, { over: keep, head: keep, tail: 0, mark: ' [… {omitted} characters omitted …]' }, true)?.text ?? words

/** Empty when neither is known. */
function headingOf({ at, from }: Recalled): string {
  const facts = [
    ...(from === undefined ? [] : [`from: ${titled(from)}`]),
    ...(at !== undefined && /^\d{4}-\d\d-\d\d/.test(at) ? [at.slice(0, 10)] : []),
  ]
  return facts.length > 0 ? `(${facts.join(', ')})` : ''
}

/** Its other lines stand behind a margin, so that no content can begin another block. */
const blockOf = ({ role, place }: Recalled, words: string): string =>
  `${place === undefined ? '' : `${place + 1} `}${role}: ${indent(words).slice(margin.length)}`

const titled = (from: string): string => {
  const line = wellFormed(from)
    .replace(/[\s()\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
  return line === '' ? 'another conversation' : [...line].slice(0, 80).join('')
}

/** With the seam to the block before it. */
function costOf(block: string, { scale }: Plan): number {
  const { tokens } = sizeOf({ role: 'user', mark: 'recall', parts: [text(block)] }, scale)
  return tokens + 1 - (isText(scale.target) ? 0 : scale.overhead.perMessage)
}
