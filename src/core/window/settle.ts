/** Closes the books: the window, the rendered request and the receipt. */
import { defined } from '../message/defined.js'
import { sha256 } from '../message/hash.js'
import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import type { Target } from '../message/target.js'
import type { Window } from '../message/window.js'
import { policyHash } from '../policy/parse.js'
import type { Policy } from '../policy/schema.js'
import { type RecallShare, type Receipt, totalsOf } from '../receipt/receipt.js'
import { risksOf } from '../receipt/risk.js'
import { prepare, type Rendered, renderMended } from '../render/render.js'
import { type Accounts, enter, linesOf, unsent, warningsOf } from './account.js'
import type { Assembled, WindowItem } from './assemble.js'
import { once } from './fitted.js'
import { frameTokens, joined, lay, numbersOf, type Place, windowRoom } from './lay.js'
import { tooSmall, weightless } from './load.js'
import type { Table } from './memo.js'
import type { Mended } from './mend/mend.js'
import { isClean } from './mend/plain.js'
import { fixedTokens } from './plan.js'
import { type Brought, partOf } from './recall.js'
import type { Shape } from './shape.js'
import { textOf } from './shape.js'
import type { Standing, Summary } from './summary.js'

export interface Settled {
  readonly assembled: Assembled
  /** When the window came out too large and may not: by how many tokens. */
  readonly overdrawn: number
  /** Tokens of it that mend added. */
  readonly added?: number
}

export function settle(open: Accounts): Settled {
  const { plan, given, options } = open
  const laid = lay(open)
  const window: Window = {
    items: laid.places.map((place) => place.item),
    hasCurrent: open.current !== null,
    style: plan.policy.render,
    ...defined({ system: given.system, tools: given.tools }),
    ...defined({ model: options.model, profile: options.profile, issuer: options.issuer, thinking: options.thinking }),
    whole: isWhole(open, laid),
  }
  const { facts, scale } = plan
  const { target } = scale
  const mended = prepare(window, target, (item) => isKnownClean(item, plan.table), scale.traits)
  if (mended.items.every((item) => item.mark) && needsMessage.has(target))
    return { assembled: { ok: false, error: emptyWindow(target), warnings: open.warnings }, overdrawn: 0 }
  const rendered = renderMended(mended, window, target)
  const wire = wireOf(rendered, mended, window, target, plan.table)
  const [books, places] = joined(open, laid.places, mended)
  const { current } = books
  const lost = unsent(places, mended, target)
  const sent = lost.size === 0 ? places : places.filter((place) => !lost.has(place))
  const { lines, each } = linesOf(books, enter(books, places, lost), lost, laid.brought?.taken ?? [])
  const used = sent.length === 0 ? 0 : frameTokens(books, mended) + said(sent)
  const overdrawn = books.budget.tokens === null ? 0 : Math.max(0, used - books.budget.tokens)
  if (overdrawn > 0 && !mayExceed(plan.policy)) {
    const room = { ...books.room, tokens: books.budget.tokens as number }
    return {
      assembled: { ok: false, error: tooSmall({ ...weightless, tokens: used }, room), warnings: books.warnings },
      overdrawn,
      added: used - fixedTokens(plan) - said(sent),
    }
  }
  const excess = Math.max(books.fitted.excess, overdrawn)
  const warnings = [...books.warnings, ...warningsOf(books, laid.marked, excess, sent)]
  const totals = totalsOf(lines, books.messages.length, used)
  const request = numbersOf(books, sent, mended, totals, lines, each)
  const { parts } = request
  const receipt: Receipt = {
    schema: 'throughline.receipt/1',
    policy: {
      name: plan.policy.name,
      hash: policyHash(plan.policy),
      ...(options.compat ? { compat: options.compat } : null),
    },
    target,
    model: facts && { id: facts.id, family: facts.family, window: facts.window, source: facts.source },
    counter: { name: scale.counter.name, exact: scale.counter.exact },
    request,
    budget: {
      tokens: books.budget.tokens,
      used,
      free: books.budget.tokens === null ? null : books.budget.tokens - used,
      reserve: books.budget.reserve,
      limit: books.fitted.limit,
      excess,
    },
    totals,
    lines,
    current: current && {
      fate: current.fate,
      rule: current.rule,
      tokens: [current.before.tokens, current.after.tokens],
    },
    gaps: laid.gaps,
    mended: tally(mended),
    warnings,
    wire: hashed(wire, options.digest),
    ...windowRoom(books),
    ...(books.standing && given.summary ? { summary: summaryOf(books.standing, given.summary, parts.summary) } : null),
    ...(laid.brought ? { recall: recallOf(laid.brought, parts.recall, plan.policy, given.recall?.share) } : null),
    ...(options.risks ? { risks: risksOf(books.messages, lines, wire, given.current) } : null),
  }
  const items = sent.map((place) => windowItem(place, current))
  return { assembled: { ok: true, items, window, rendered, receipt, warnings }, overdrawn: 0 }
}

/** Most receipts are never asked for the hash, which takes longer than much of the rest. */
function hashed(wire: string, digest: (text: string) => string = sha256): Receipt['wire'] {
  const hash = once(() => digest(wire))
  return {
    get hash() {
      return hash()
    },
    length: wire.length,
  }
}

/** True when the window is the history, to the letter. */
const isWhole = ({ fitted, standing, walk }: Accounts, { places, gaps, brought }: ReturnType<typeof lay>): boolean =>
  fitted.limit === null &&
  standing === null &&
  gaps.length === 0 &&
  !brought &&
  walk.lost.length === 0 &&
  places.every(({ item, kept }) => !item.mark && (!kept || kept.shape.fate === 'kept'))

const summaryOf = ({ covered }: Standing, { id, until }: Summary, tokens: number): Receipt['summary'] & {} => ({
  ...(id === undefined ? null : { id }),
  until,
  messages: covered,
  tokens,
})

const recallOf = (
  { taken }: Brought,
  tokens: number,
  { recall }: Policy,
  share: RecallShare = 'usual',
): Receipt['recall'] & {} => ({
  items: taken.map(({ recalled: { id, role, score, reason, from, conversation }, index, tokens: cost }) => ({
    id,
    index,
    score,
    reason,
    tokens: cost,
    ...(role === 'memory' && { kind: role }),
    ...(from !== undefined && { from }),
    ...(conversation !== undefined && { conversation }),
  })),
  tokens,
  share: partOf(recall, share),
  why: share,
})

function isKnownClean(item: Item, table: Table): boolean {
  const known = table.clean.get(item)
  if (known !== undefined) return known
  const clean = isClean(item)
  table.clean.set(item, clean)
  return clean
}

/** A floor, or a newest message that stays whatever it costs. */
const mayExceed = ({ fit }: Policy): boolean => fit.floor > 0 || fit.oversize === 'keep'

const needsMessage = new Set(['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'])

const emptyWindow = (target: string): Issue => ({
  code: 'window.empty',
  field: 'messages',
  message: `there is nothing to send: no usable message and no current one (target ${target})`,
})

const said = (places: readonly Place[]): number => places.reduce((sum, place) => sum + place.tokens, 0)

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
  return describe(item, null, 'marker', item.mark ?? 'gap', tokens)
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
  if (item.mark !== undefined) out.mark = item.mark
  return out
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

// The request as it goes out, as text; what was written before for an item is not written again.

/** The list of messages in each provider's request. */
const listIn = (target: Target): string =>
  target === 'google' ? 'contents' : target === 'openai-responses' ? 'input' : 'messages'

const texts = new WeakMap<object, string>()

/** Equal to `JSON.stringify(rendered)`: a request was written when its window was made. */
export const writtenAs = (rendered: unknown): string =>
  (typeof rendered === 'object' && rendered !== null && texts.get(rendered)) || JSON.stringify(rendered)

/** Equal to the text itself, or to `JSON.stringify(rendered)`. */
function wireOf(rendered: Rendered, mended: Mended, window: Window, target: Target, table: Table): string {
  if (typeof rendered === 'string') return rendered
  const wire = written(rendered, mended, window, target, table)
  texts.set(rendered, wire)
  return wire
}

function written(
  rendered: Exclude<Rendered, string>,
  mended: Mended,
  window: Window,
  target: Target,
  table: Table,
): string {
  // neighbours that became one message cannot be written one by one
  if (mended.items.length === 0 || joins(mended)) return JSON.stringify(rendered)
  const key = listIn(target)
  const listed = (items: readonly Item[], system: readonly string[]): string => {
    const alone = renderMended({ ...mended, items, system }, { ...window, items }, target)
    return JSON.stringify((alone as unknown as Record<string, unknown>)[key]).slice(1, -1)
  }
  const shell = (): readonly [open: string, close: string] => {
    const rest = JSON.stringify({ ...rendered, [key]: [] })
    const at = rest.indexOf(`"${key}":[]`) + key.length + 4
    return [rest.slice(0, at) + listed([], mended.system), rest.slice(at)]
  }
  const isUsual = mended.system.length <= 1 && !('tools' in rendered)
  const [open, close] = isUsual ? table.shell.of(mended.system[0] ?? '', shell) : shell()
  let wire = open
  for (const item of mended.items) {
    const written = table.written.get(item) ?? listed([item], [])
    table.written.set(item, written)
    if (written !== '') wire += wire === open && open.endsWith('[') ? written : `,${written}`
  }
  return wire + close
}

/** Where roles alternate, results stand in the user's next message, and what mend changed may be joined to another. */
const joins = ({ items, notes, traits }: Mended): boolean =>
  traits.alternates && (notes.length > 0 || items.some((item) => item.parts.some((part) => part.type === 'call')))
