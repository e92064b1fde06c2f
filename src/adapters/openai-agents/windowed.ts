/** Windows for `@openai/agents`: every call of the model gets one, and leaves its receipt. */

import { decode } from '../../core/message/dialects/decode.js'
import { HistoryError } from '../../core/message/issue.js'
import type { CallPart } from '../../core/message/item.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import { type Assembled, assemble, type WindowItem } from '../../core/window/assemble.js'
import type { Options } from '../../core/window/plan.js'
import type { History } from '../../engine/history.js'
import { type AgentItem, fromParts, resultItem } from './item.js'

/** What the windows of a run are like. */
export interface WindowedOptions extends Omit<Options, 'memo' | 'account' | 'target'> {
  readonly policy?: PolicyChoice
  /** Told of each receipt, once it is kept, and of the id it is kept under. */
  readonly kept?: (receipt: Receipt, id: string) => void
}

/** What the SDK hands to `callModelInputFilter`, and takes back. */
export interface ModelInput<Item> {
  readonly modelData: { readonly input: Item[]; readonly instructions?: string }
}

/**
 * For `callModelInputFilter` of a run. What it cuts is cut for this one call of the model: the session keeps everything.
 * (A `sessionInputCallback` could only leave items out: what it adds, such as a marker, would be kept as if it were said.)
 * @example await run(agent, 'Hello', { session, callModelInputFilter: windowed(history, { budget: 8_000 }) })
 */
export function windowed(history: History, options: WindowedOptions = {}) {
  const { policy = 'balanced', kept, ...rest } = options
  // biome-ignore lint/suspicious/noExplicitAny: so that it fits whatever version of the SDK it is given to
  return async <Item = any>({ modelData }: ModelInput<Item>): Promise<{ input: Item[]; instructions?: string }> => {
    const { input, instructions } = modelData
    const given = { messages: input, ...(instructions === undefined ? null : { system: instructions }) }
    const made = assemble(given, policy, { ...rest, target: 'openai-responses' })
    if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
    const id = await history.keep(made.receipt)
    kept?.(made.receipt, id)
    return { ...modelData, input: itemsOf(made, input as AgentItem[]) as Item[] }
  }
}

/** The items as they were where they are whole; where they were cut, as the window has them. */
function itemsOf({ items, receipt }: Assembled & { readonly ok: true }, input: readonly AgentItem[]): AgentItem[] {
  const { messages, kept } = receipt.totals
  if (messages === kept) return [...input]
  const wholes = wholeOf(receipt)
  const results = new Map(input.flatMap((item, i) => (isResult(item) ? [[item.callId, i] as const] : [])))
  const placed: Placed[] = items.flatMap((item, i) => {
    if (item.index === null) return [{ at: nextIndex(items, i) - 0.5, items: [markOf(item)] }]
    const { index } = item
    const own = { at: index, items: wholes.has(index) ? [input[index] as AgentItem] : fromParts(item.role, item.parts) }
    const answers = item.parts.flatMap((part): Placed[] => {
      const at = part.type === 'call' ? results.get(part.id) : undefined
      if (part.type !== 'call' || at === undefined) return []
      return [{ at, items: [wholes.has(at) ? (input[at] as AgentItem) : answerOf(part)] }]
    })
    return [own, ...answers]
  })
  const sorted = [...placed, ...unread(input, items)].sort((one, other) => one.at - other.at)
  return sorted.flatMap((one) => one.items)
}

interface Placed {
  readonly at: number
  readonly items: readonly AgentItem[]
}

function wholeOf({ lines }: Receipt): Set<number> {
  const whole = new Set<number>()
  for (const { from, to, fate } of lines) if (fate === 'kept') for (let i = from; i <= to; i++) whole.add(i)
  return whole
}

const isResult = ({ type }: AgentItem): boolean => typeof type === 'string' && type.endsWith('_call_result')

const nextIndex = (items: readonly WindowItem[], from: number): number =>
  items.slice(from).find(({ index }) => index !== null)?.index ?? Number.POSITIVE_INFINITY

const markOf = ({ text }: WindowItem): AgentItem => ({ type: 'message', role: 'system', content: text })

const answerOf = ({ id, name, outcome }: CallPart): AgentItem =>
  outcome.state === 'pending' ? resultItem(id, name, 'error', []) : resultItem(id, name, outcome.state, outcome.output)

/** Items of a kind that only the SDK knows stay where they are, behind the last place where something is missing. */
function unread(input: readonly AgentItem[], items: readonly WindowItem[]): Placed[] {
  const gap = items.findLastIndex(({ index }) => index === null)
  const from = nextIndex(items, Math.max(gap, 0))
  return input.flatMap((item, at) => (at > from && !decode(item).ok ? [{ at, items: [item] }] : []))
}
