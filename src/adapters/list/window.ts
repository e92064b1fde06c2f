/** The window of a list of someone else's messages, in their own form: what is whole is the very message that came in. */

import { decode } from '../../core/message/dialects/decode.js'
import { HistoryError } from '../../core/message/issue.js'
import type { Role } from '../../core/message/item.js'
import type { Target } from '../../core/message/target.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import { type Assembled, assemble, type Input, type WindowItem } from '../../core/window/assemble.js'
import type { Options } from '../../core/window/plan.js'
import type { History } from '../../engine/history.js'
import { assembleWithRecall } from '../../engine/with-recall.js'
import type { Body } from '../../store/contract/entry.js'
import type { Dialect } from './dialect.js'

/** What the windows of a run are like. */
export interface WindowedOptions extends Omit<Options, 'memo' | 'account' | 'target'> {
  /** `balanced` when left out. */
  readonly policy?: PolicyChoice
  /** True also quotes what the newest message needs of what did not fit; for a question about the past, older turns give way. */
  readonly recall?: boolean
  /** Told of each receipt, and of the id under which a history keeps it. */
  readonly onReceipt?: (receipt: Receipt, id: string | null) => void
}

export interface Manner<T> {
  readonly dialect: Dialect<T>
  readonly target: Target
  /** Who says that something is missing, where that is not for the policy to say. */
  readonly marker?: Role
}

/** Throws `HistoryError` where no window can be made. */
export async function windowOfList<T>(
  { messages, ...beside }: Omit<Input, 'messages'> & { readonly messages: readonly T[] },
  manner: Manner<T>,
  { policy = 'balanced', recall = false, onReceipt, ...rest }: WindowedOptions,
  history?: History,
): Promise<T[]> {
  const input = { ...beside, messages: messages.map(manner.dialect.toMessage) }
  const options = { ...rest, target: manner.target }
  const made = recall ? await assembleWithRecall(input, policy, options) : assemble(input, policy, options)
  if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
  const id = history ? await history.keep(made.receipt) : null
  onReceipt?.(made.receipt, id)
  return itemsOf(made, messages, manner)
}

/** The messages as they were where they are whole; where they were cut, as the window has them. */
function itemsOf<T>(made: Assembled & { readonly ok: true }, input: readonly T[], { dialect, marker }: Manner<T>): T[] {
  const { items, receipt } = made
  if (receipt.totals.messages === receipt.totals.kept) return [...input]
  const read = input.map((item) => decode(dialect.toMessage(item)))
  const results = new Map(
    read.flatMap((one, i) => (one.ok ? one.results.map(({ callId }) => [callId, i] as const) : [])),
  )
  const isWhole = (at: number) => receipt.lines.some(({ from, to, fate }) => fate === 'kept' && from <= at && at <= to)
  const told = (at: number, body: Body, names = new Map<string, string>()): Placed<T> => ({
    at,
    items: Number.isInteger(at) && isWhole(at) ? [input[at] as T] : dialect.fromEntry({ body, redacted: false }, names),
  })
  const placed = items.flatMap(({ index, mark, role: speaker, parts }, i): Placed<T>[] => {
    const role = mark === 'gap' ? (marker ?? speaker) : speaker
    const said = { kind: 'message', role, parts, status: 'complete' } as const
    if (index === null) return [told(nextIndex(items, i) - 0.5, said)]
    const answers = parts.flatMap((part): Placed<T>[] => {
      const at = part.type === 'call' ? results.get(part.id) : undefined
      if (part.type !== 'call' || at === undefined) return []
      const { id: callId, name, outcome } = part
      const result = outcome.state === 'pending' ? ({ state: 'error', output: [] } as const) : outcome
      return [told(at, { kind: 'result', callId, ...result }, new Map([[callId, name]]))]
    })
    return [told(index, said), ...answers]
  })
  // those of a kind that only the SDK knows stay where they are, behind the last place where something is missing
  const from = nextIndex(
    items,
    Math.max(
      0,
      items.findLastIndex(({ index }) => index === null),
    ),
  )
  const unread = read.flatMap(({ ok }, at) => (at > from && !ok ? [{ at, items: [input[at] as T] }] : []))
  return [...placed, ...unread].sort((one, other) => one.at - other.at).flatMap((one) => one.items)
}

type Placed<T> = { readonly at: number; readonly items: readonly T[] }

const nextIndex = (items: readonly WindowItem[], from: number): number =>
  items.slice(from).find(({ index }) => index !== null)?.index ?? Number.POSITIVE_INFINITY
