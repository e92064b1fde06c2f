/** Model messages of the AI SDK in, those that fit out: what is kept is the very message that came in. */

import { HistoryError, type Issue } from '../../core/message/issue.js'
import type { Window } from '../../core/message/window.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Overrides } from '../../core/policy/schema.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { AiSdkRequest } from '../../core/render/ai-sdk.js'
import { renderMended } from '../../core/render/render.js'
import { assemble, type WindowItem } from '../../core/window/assemble.js'
import { createMemo } from '../../core/window/memo.js'
import type { Options } from '../../core/window/plan.js'
import { idsIn, originalsOf } from './originals.js'

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

/** Throws `HistoryError` where no window can be made. System messages at the beginning stay as they are. */
export function windowOf<M extends ModelMessage>(messages: readonly M[], options: WindowOptions = {}): Windowed<M> {
  const { policy, onReceipt, system: beside, tools, output, ...rest } = options
  const lead = messages.findIndex(({ role }) => role !== 'system')
  const first = lead < 0 ? messages.length : lead
  const said = messages.slice(first)
  const last = said.at(-1)
  const current = last?.role === 'user' ? last : undefined
  const history = current ? said.slice(0, -1) : said
  const leading = messages.slice(0, first).map(({ content }) => String(content))
  const system = beside === undefined ? leading : [beside, ...leading]
  const made = assemble(
    {
      messages: history,
      ...(current && { current }),
      ...(system.length > 0 && { system: system.join('\n\n') }),
      ...(tools && { tools }),
    },
    policy,
    { memo: createMemo(), ...rest, ...reserving(rest.overrides, output), target: 'ai-sdk' },
  )
  if (!made.ok) throw new HistoryError(made.error.code, [made.error, ...made.warnings])
  const { receipt, warnings } = made
  onReceipt?.(receipt)
  if (isWhole(receipt)) return { messages: [...messages], receipt, warnings }
  const originals = originalsOf(history)
  const fitting = made.items.flatMap((item) => {
    if (item.fate === 'current' && !item.clipped) return current ? [current] : []
    if (item.fate === 'kept' && item.index !== null && !item.clipped) return originals(item.index)
    return written(item, made.window) as readonly ModelMessage[] as readonly M[]
  })
  const sent = isPaired(fitting) ? fitting : ((made.rendered as AiSdkRequest).messages as readonly unknown[] as M[])
  return { messages: [...messages.slice(0, first), ...sent], receipt, warnings }
}

const reserving = (overrides: Overrides | undefined, response: number | undefined): { overrides?: Overrides } =>
  response === undefined
    ? {}
    : { overrides: { ...overrides, fit: { ...overrides?.fit, reserve: { ...overrides?.fit?.reserve, response } } } }

/** Nothing was left out or changed. */
const isWhole = ({ totals, current }: Receipt): boolean =>
  totals.kept === totals.messages && (current === null || current.fate === 'kept')

const written = (item: WindowItem, window: Window): AiSdkRequest['messages'] =>
  renderMended({ items: [item], system: [], notes: [] }, window, 'ai-sdk').messages

/** Calls that lost their results, or the other way round, are for core to mend. */
function isPaired(messages: readonly ModelMessage[]): boolean {
  const [calls, results] = [idsIn(messages, 'tool-call'), idsIn(messages, 'tool-result')]
  return calls.size === results.size && [...calls].every((call) => results.has(call))
}
