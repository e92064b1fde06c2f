/** The histories that are in use: the next window of a conversation finds what the last one worked out. */
import { lru } from '../core/message/lru.js'
import { type History, type HistoryOptions, openHistory } from '../engine/history.js'

export interface Histories {
  open(options: HistoryOptions & { readonly workspace: string; readonly conversation: string }): Promise<History>
}

/** Those of so many conversations are kept. */
export function rememberHistories(most = 1_000): Histories {
  const known = lru<{ readonly options: HistoryOptions; readonly history: History }>(most)
  return {
    async open(options) {
      const name = `${options.workspace}\0${options.conversation}`
      const found = known.get(name)
      const history = found && isSame(found.options, options) ? found.history : await openHistory(options)
      known.set(name, { options, history })
      return history
    },
  }
}

const isSame = (one: HistoryOptions, other: HistoryOptions): boolean =>
  one.policy === other.policy && one.model === other.model
