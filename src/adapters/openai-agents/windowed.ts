/** Windows for `@openai/agents`: every call of the model gets one, and leaves its receipt. */

import type { History } from '../../engine/history.js'
import { type Manner, type WindowedOptions, windowOfList } from '../list/window.js'
import { type AgentItem, agentsDialect } from './item.js'

/** What the SDK hands to `callModelInputFilter`, and takes back. */
export interface ModelInput<Item> {
  readonly modelData: { readonly input: Item[]; readonly instructions?: string }
}

const manner: Manner<AgentItem> = { dialect: agentsDialect, target: 'openai-responses', marker: 'system' }

/**
 * For `callModelInputFilter` of a run: each call of the model gets what fits, and with `recall` what it needs of the rest. What it cuts is cut
 * for this one call: the session keeps everything. (A `sessionInputCallback` could only leave items out: what it adds, such as a
 * marker, would be kept as if it were said.)
 * @example await run(agent, 'Hello', { session, callModelInputFilter: windowed(history, { budget: 8_000 }) })
 */
export function windowed(history: History, options: WindowedOptions = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: so that it fits whatever version of the SDK it is given to
  return async <Item = any>({ modelData }: ModelInput<Item>): Promise<{ input: Item[]; instructions?: string }> => {
    const { input, instructions } = modelData
    const given = { messages: input as AgentItem[], ...(instructions === undefined ? null : { system: instructions }) }
    return { ...modelData, input: (await windowOfList(given, manner, options, history)) as Item[] }
  }
}
