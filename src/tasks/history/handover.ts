/** The history as it is handed over: judged by the preset, cut to the budget, written as a section, and accounted for. */

import { createHash } from 'node:crypto'
import type { Issue } from '../../core/message/issue.js'
import { presets } from '../../core/policy/presets/index.js'
import type { Overrides } from '../../core/policy/schema.js'
import type { Receipt, Risk } from '../../core/receipt/receipt.js'
import { indent } from '../../core/render/lines.js'
import { numberedFrame } from '../../core/render/text-numbered.js'
import { charsPer4 } from '../../core/tokens/charsPer4.js'
import { estimator } from '../../core/tokens/estimate.js'
import { type Assembled, assemble } from '../../core/window/assemble.js'
import { type StoredHistory, storedHistory } from '../../recipes/handoff.js'
import type { ValidMessage } from '../../recipes/validation.js'
import type { HandoffPreset } from '../record/contract.js'
import type { Board } from '../record/desk.js'
import type { TaskRequest } from '../record/input.js'
import { inHistory, invalid } from '../record/refuse.js'
import { accountOf } from './account.js'
import { compress, type Wish } from './compress.js'
import { condense, type Summary } from './condense.js'
import type { Gathered } from './gather.js'
import { attachmentsOf, withNamedImages } from './images.js'
import { contentOf, type Handed, saidInMessage } from './said.js'
import { concerning } from './thread.js'

export type Ask = Pick<TaskRequest, 'description' | 'preset' | 'compress' | 'model' | 'thread'> & {
  /** For the history alone. */
  readonly tokens: number
  readonly now: string
}

interface HandedOver {
  /** Null when there is nothing to hand over. */
  readonly stored: StoredHistory | null
  readonly section: string
  readonly receipt: Receipt | null
  readonly summary: Summary | null
  readonly warnings: readonly Issue[]
}

/** Specification 2 says nothing of how its list is shown: like that of specification 0, whose sibling it is. */
const shown: Readonly<Record<HandoffPreset, Overrides>> = {
  'handoff-balanced': {},
  'handoff-user-first': {},
  'handoff-assistant-first': { render: { target: 'text-numbered', section: 'emoji' } },
}

/** Where a summary stands for the middle, the first message stays. */
const opened: Overrides = { fit: { pin: { first: 1, of: 'user', share: 0.25 } } }

/** Tokens of the words around a summary. */
const label = 160
/** From so many messages on, those that are not looked at are not counted either. */
const many = 5_000

export const sectionStyle = (preset: HandoffPreset): 'emoji' | 'plain' =>
  shown[preset].render?.section ?? presets[preset].render.section

export const counterOf = (preset: HandoffPreset): ((text: string) => number) =>
  presets[preset].counter === 'chars/4' ? charsPer4.count : estimator('unknown').count

export async function handOver(desk: Board, { messages: given, older }: Gathered, ask: Ask): Promise<HandedOver> {
  if (given === undefined || given === null) return nothing
  const messages = Array.isArray(given) ? withNamedImages(given, presets[ask.preset].intake.content) : given
  const judged = windowOf(desk, messages, ask, ask.tokens)
  const list = Array.isArray(messages) ? messages : []
  const thread = threadOf(list, ask)
  const rest = thread.chosen.map((at) => list[at])
  const whole = rest.length === list.length ? judged : windowOf(desk, rest, ask, ask.tokens)
  const short = ask.compress === 'model' ? await compressed(desk, rest, ask, whole) : null
  const told = short?.messages ?? rest
  const made = short ? windowOf(desk, told, ask, ask.tokens) : whole
  const { window, summary, warnings } = await shortened(desk, told, ask, made)

  const stored = storedOf(window, rest, ask)
  if (stored.messages.length === 0) return { ...nothing, warnings: judged.warnings.map(inHistory) }
  return {
    stored,
    summary,
    section: sectionOf(String(window.rendered), sectionStyle(ask.preset), {
      summary,
      elsewhere: list.length - rest.length,
      unread: older,
      named: window.receipt.risks ?? [],
    }),
    receipt: accountOf(window.receipt, thread.chosen, older, list.length),
    warnings: [
      ...judged.warnings.filter(({ code }) => code.startsWith('admit.')),
      ...thread.warnings,
      ...window.warnings.filter(({ code }) => !code.startsWith('admit.')),
      ...(short?.warnings ?? []),
      ...warnings,
      ...overBudget(window, ask),
    ].map(inHistory),
  }
}

const nothing: HandedOver = { stored: null, section: '', receipt: null, summary: null, warnings: [] }

type Made = Extract<Assembled, { readonly ok: true }>

function windowOf({ policies }: Board, messages: unknown, { preset, compress, now }: Ask, tokens: number): Made {
  const policy = policies[preset] ?? presets[preset]
  const made = assemble({ messages }, policy, {
    now,
    // a preset without a token limit is bounded by its own limits alone
    ...(policy.fit.tokens !== null && { budget: tokens }),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    overrides: { ...shown[preset], ...(compress === 'none' ? null : opened) },
    risks: compress !== 'none',
    account: Array.isArray(messages) && messages.length > many ? 'window' : 'full',
  })
  if (!made.ok) throw invalid([inHistory(made.error)])
  return made
}

interface Chosen {
  readonly chosen: readonly number[]
  readonly warnings: readonly Issue[]
}

function threadOf(list: readonly unknown[], { description, preset, thread }: Ask): Chosen {
  const all = { chosen: [...list.keys()], warnings: [] }
  if (!thread || !('relevance' in thread)) return all
  const { last } = presets[preset].intake
  const low = last === null ? 0 : Math.max(0, list.length - last)
  const found = concerning(list.slice(low), description, thread.relevance)
  return found ? { chosen: found.map((at) => low + at), warnings: [] } : { ...all, warnings: [nothingConcerns] }
}

const nothingConcerns: Issue = {
  code: 'task.thread',
  field: 'thread',
  message: 'no message has a word of the description; the whole history is handed over',
}

/** What would have been cut says the same in fewer words, where a model wrote them. */
function compressed(desk: Board, messages: readonly unknown[], ask: Ask, { items }: Made) {
  const { clip } = desk.policies[ask.preset] ?? presets[ask.preset]
  const wishes = items.flatMap(({ index, role, clipped }): Wish[] => {
    const limit = role === 'user' ? clip.user : clip.assistant
    const said = index === null || !clipped || !limit ? null : saidInMessage(messages[index])
    return index === null || !limit || !said ? [] : [{ index, text: said.text, chars: limit.over }]
  })
  return wishes.length === 0 ? null : compress(desk, messages, wishes, ask)
}

interface Shortened {
  readonly window: Made
  readonly summary: Summary | null
  readonly warnings: readonly Issue[]
}

/** What does not fit is summarised, and the history makes room for the summary. */
async function shortened(desk: Board, messages: readonly unknown[], ask: Ask, made: Made): Promise<Shortened> {
  if (ask.compress === 'none' || leftOut(made, messages).length === 0)
    return { window: made, summary: null, warnings: [] }
  const tokens = Math.min(desk.limits.summaryTokens, Math.floor(ask.tokens / 4))
  const window = windowOf(desk, messages, ask, Math.max(0, ask.tokens - tokens - label))
  const condensed = await condense(desk, {
    said: leftOut(window, messages),
    matter: ask.description,
    by: ask.compress,
    model: ask.model,
    tokens,
    count: counterOf(ask.preset),
  })
  return { window, ...condensed }
}

function leftOut({ receipt }: Made, messages: readonly unknown[]): readonly Handed[] {
  return receipt.lines
    .filter(({ fate }) => fate === 'dropped')
    .flatMap(({ from, to }) => messages.slice(from, to + 1).flatMap((message) => saidInMessage(message) ?? []))
}

function storedOf({ items, receipt }: Made, messages: readonly unknown[], { preset, now }: Ask): StoredHistory {
  const { trim } = presets[preset].intake
  const omitted = receipt.lines
    .filter(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
    .reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const originals = messages.map((message): Pick<ValidMessage, 'content' | 'attachments'> => {
    const attachments = attachmentsOf(message)
    const content = trim ? contentOf(message).trim() : contentOf(message)
    return { content, ...(attachments && { attachments }) }
  })
  return storedHistory(items, originals, now, omitted)
}

function overBudget({ receipt }: Made, { tokens }: Ask): Issue[] {
  if (receipt.budget.limit !== 'tokens') return []
  const { dropped } = receipt.totals
  const message = `the history is cut to the ${tokens} tokens that the task has for it; ${dropped} messages are left out`
  return [{ code: 'task.budget', field: 'conversation_history', severity: 'medium', value: tokens, message }]
}

// the section of the history, with a word for everything that is not in it

interface Beside {
  readonly summary: Summary | null
  /** Messages of other threads. */
  readonly elsewhere: number
  /** Entries that were not read. */
  readonly unread: number
  /** What is named only in what is missing. */
  readonly named: readonly Risk[]
}

/** Words of ours stand in parentheses at the margin, like markers; all others are indented and can forge nothing. */
function sectionOf(rendered: string, style: 'emoji' | 'plain', beside: Beside): string {
  const { open } = numberedFrame(style)
  const notes = notesOf(beside)
  if (notes.length === 0 || !rendered.startsWith(open)) return rendered
  return open + notes.map((note) => `${note}\n\n`).join('') + rendered.slice(open.length)
}

function notesOf({ summary, elsewhere, unread, named }: Beside): string[] {
  const notes: string[] = []
  if (unread > 0) notes.push(`(The conversation is longer; ${unread} entries before these were not read.)`)
  if (elsewhere > 0) notes.push(`(${elsewhere} messages that do not concern this task are not shown here.)`)
  if (summary) notes.push(`(${titleOf(summary)})\n${indent(summary.text)}`)
  if (named.length > 0) notes.push(`(Named in what is not shown:)\n${indent(named.map(oneLine).join(' · '))}`)
  return notes
}

const titleOf = ({ model, covers }: Summary): string =>
  model === null
    ? `Sentences quoted from ${covers} messages that are not shown:`
    : `Summary of ${covers} messages that are not shown, written by ${model}:`

const oneLine = ({ text }: Risk): string => text.replace(/\s+/g, ' ')
