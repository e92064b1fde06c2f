/** Model messages of the AI SDK in, those that fit out: what is kept is the very message that came in. */
import { HistoryError, type Issue } from '../../core/message/issue.js'
import type { Window } from '../../core/message/window.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Overrides } from '../../core/policy/schema.js'
import { traits } from '../../core/profile/traits.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { AiSdkRequest } from '../../core/render/ai-sdk.js'
import { renderMended } from '../../core/render/render.js'
import { type Assembled, assemble, type Input, type WindowItem } from '../../core/window/assemble.js'
import { createMemo } from '../../core/window/memo.js'
import type { Options } from '../../core/window/plan.js'
import type { History } from '../../engine/history.js'
import { assembleWithRecall } from '../../engine/with-recall.js'

/** How windows over AI SDK messages are made. */
export interface WindowOptions
  extends Pick<Options, 'model' | 'models' | 'budget' | 'overrides' | 'counter' | 'risks' | 'memo'> {
  /** `balanced` when left out. */
  readonly policy?: PolicyChoice
  /** Instructions that are sent beside the messages: counted, and not changed. */
  readonly system?: string
  /** Tools as the provider gets them: counted. */
  readonly tools?: readonly unknown[]
  /** Tokens kept free for the answer where the model's window is the limit; a `budget` is for the request alone. */
  readonly output?: number
  /** Told of each window that is made. */
  readonly onReceipt?: (receipt: Receipt) => void
}

/** Messages that fit, and the account of them. */
export interface Windowed<M> {
  readonly messages: M[]
  readonly receipt: Receipt
  readonly warnings: readonly Issue[]
}

/** What all versions of the SDK share. */
export interface ModelMessage {
  readonly role: string
  readonly content: unknown
}

/**
 * A window of messages that the caller has. Throws `HistoryError` where none can be made. System messages at the beginning
 * stay as they are.
 *
 * @example
 * ```ts
 * const { messages: fitting, receipt } = windowOf(messages, { model: 'gpt-4o', budget: 8_000 })
 * ```
 */
export function windowOf<M extends ModelMessage>(messages: readonly M[], options: WindowOptions = {}): Windowed<M> {
  const split = splitOf(messages, options)
  return windowed(split, assemble(split.input, options.policy, split.options), options)
}

/** What the window of each call takes: a log to read from and to write to, and whether it looks back. */
export interface CallWindowOptions extends WindowOptions {
  /**
   * The conversation: messages that are not in its log yet are written to it, the window is made of the log (so a call may
   * bring the newest message alone), and each receipt is kept with it. An answer is written when a later call brings it, or
   * by `history.append`.
   */
  readonly history?: History
  /** False looks for nothing in what did not fit. */
  readonly recall?: boolean
}

/** The window of one call of a model, with what was recalled. */
export async function callWindow<M extends ModelMessage>(
  messages: readonly M[],
  options: CallWindowOptions,
): Promise<Windowed<M>> {
  const { history, recall = true } = options
  const split = splitOf(messages, options)
  if (history) return logged(history, split, options)
  if (!recall) return windowOf(messages, options)
  return windowed(split, await assembleWithRecall(split.input, options.policy, split.options), options)
}

async function logged<M extends ModelMessage>(
  history: History,
  { lead, said, input, options: { memo: _, ...rest } }: Split<M>,
  { policy, onReceipt, system: beside, recall }: CallWindowOptions,
): Promise<Windowed<M>> {
  const { branch, head } = await history.reconcile(said, { strange: 'follow' })
  const { messages: __, current: ___, ...sent } = input
  const off = recall === false ? { recaller: async () => ({ items: [] }) } : null
  const made = await history.window({ ...sent, ...rest, ...off, branch, ...(policy && { policy }), target: 'ai-sdk' })
  if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
  const { receipt, warnings, rendered } = made
  await history.keep(receipt, head ?? undefined)
  onReceipt?.(receipt)
  // instructions of the log's own, unless the caller sends some
  const own = lead.length === 0 && beside === undefined && rendered.system !== undefined
  const first = own ? [{ role: 'system', content: rendered.system }] : lead
  return { messages: [...first, ...rendered.messages] as readonly ModelMessage[] as M[], receipt, warnings }
}

interface Split<M> {
  /** System messages at the beginning. */
  readonly lead: readonly M[]
  readonly said: readonly M[]
  readonly input: Omit<Input, 'messages' | 'current'> & { readonly messages: readonly M[]; readonly current?: M }
  readonly options: Options<'ai-sdk'>
}

function splitOf<M extends ModelMessage>(messages: readonly M[], all: CallWindowOptions): Split<M> {
  const { policy: _, onReceipt: __, history: ___, recall: ____, system: beside, tools, output, ...rest } = all
  const found = messages.findIndex(({ role }) => role !== 'system')
  const first = found < 0 ? messages.length : found
  const [lead, said] = [messages.slice(0, first), messages.slice(first)]
  const last = said.at(-1)
  const current = last?.role === 'user' ? last : undefined
  const leading = lead.map(({ content }) => String(content))
  const system = beside === undefined ? leading : [beside, ...leading]
  return {
    lead,
    said,
    input: {
      messages: current ? said.slice(0, -1) : said,
      ...(current && { current }),
      ...(system.length > 0 && { system: system.join('\n\n') }),
      ...(tools && { tools }),
    },
    options: { memo: createMemo(), ...rest, ...reserving(rest.overrides, output), target: 'ai-sdk' },
  }
}

function windowed<M extends ModelMessage>(
  { lead, said, input: { messages: history, current } }: Split<M>,
  made: Assembled<'ai-sdk'>,
  { onReceipt }: WindowOptions,
): Windowed<M> {
  if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
  const { receipt, warnings } = made
  onReceipt?.(receipt)
  if (isWhole(receipt)) return { messages: [...lead, ...said], receipt, warnings }
  const originals = originalsOf(history)
  const fitting = made.items.flatMap((item) => {
    if (item.fate === 'current' && !item.clipped) return current ? [current] : []
    if (item.fate === 'kept' && item.index !== null && !item.clipped) return originals(item.index)
    return written(item, made.window) as readonly ModelMessage[] as readonly M[]
  })
  const sent = isPaired(fitting) ? fitting : ((made.rendered as AiSdkRequest).messages as readonly unknown[] as M[])
  return { messages: [...lead, ...sent], receipt, warnings }
}

const reserving = (overrides: Overrides | undefined, response: number | undefined): { overrides?: Overrides } =>
  response === undefined
    ? {}
    : { overrides: { ...overrides, fit: { ...overrides?.fit, reserve: { ...overrides?.fit?.reserve, response } } } }

/** Nothing was left out or changed. */
const isWhole = ({ totals, current }: Receipt): boolean =>
  totals.kept === totals.messages && (current === null || current.fate === 'kept')

const written = (item: WindowItem, window: Window): AiSdkRequest['messages'] =>
  renderMended({ items: [item], system: [], notes: [], traits: traits['ai-sdk'] }, window, 'ai-sdk').messages

/** Calls that lost their results, or the other way round, are for core to mend. */
function isPaired(messages: readonly ModelMessage[]): boolean {
  const [calls, results] = [idsIn(messages, 'tool-call'), idsIn(messages, 'tool-result')]
  return calls.size === results.size && [...calls].every((call) => results.has(call))
}

// The messages behind an item of a window: itself, and the results of its calls wherever they came.

function originalsOf<M extends ModelMessage>(messages: readonly M[]): (index: number) => readonly M[] {
  const owners = new Map<string, number>()
  const results = new Map<number, M[]>()
  messages.forEach((message, index) => {
    if (message.role === 'assistant') for (const call of idsIn([message], 'tool-call')) owners.set(call, index)
    if (message.role === 'tool')
      for (const [owner, parts] of byOwner(message, owners)) {
        const list = results.get(owner) ?? []
        list.push(
          parts === partsOf(message).length ? message : { ...message, content: ownedBy(message, owner, owners) },
        )
        results.set(owner, list)
      }
  })
  return (index) => [messages[index] as M, ...(results.get(index) ?? [])]
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
}

const partsOf = ({ content }: ModelMessage): readonly Part[] => (Array.isArray(content) ? content : [])

const idsIn = (messages: readonly ModelMessage[], type: 'tool-call' | 'tool-result'): ReadonlySet<string> =>
  new Set(messages.flatMap(partsOf).flatMap((part) => (part.type === type ? [String(part.toolCallId)] : [])))

/** How many parts of a message of results belong to each message of calls. */
function byOwner(message: ModelMessage, owners: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const part of partsOf(message)) {
    const owner = owners.get(String(part.toolCallId))
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}

const ownedBy = (message: ModelMessage, owner: number, owners: ReadonlyMap<string, number>): readonly Part[] =>
  partsOf(message).filter((part) => owners.get(String(part.toolCallId)) === owner)
