/** The histories that are in use: the next window of a conversation finds what the last one worked out. */
import { type History, type HistoryOptions, openHistory } from '../engine/history.js'

export interface Histories {
  open(options: HistoryOptions & { readonly workspace: string; readonly conversation: string }): Promise<History>
}

/** Those of so many conversations are kept. */
export function rememberHistories(most = 256): Histories {
  const known = new Map<string, { readonly options: HistoryOptions; readonly history: History }>()
  return {
    async open(options) {
      const name = `${options.workspace}\0${options.conversation}`
      const found = known.get(name)
      const history = found && isSame(found.options, options) ? found.history : await openHistory(options)
      known.delete(name)
      known.set(name, { options, history })
      if (known.size > most) known.delete(known.keys().next().value as string)
      return history
    },
  }
}

const isSame = (one: HistoryOptions, other: HistoryOptions): boolean =>
  one.policy === other.policy && one.model === other.model
