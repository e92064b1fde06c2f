/** The messages of a path, each with the entries it stands for. */
import type { Entry } from '../../store/contract/entry.js'
import { messagesForUi, uiLines } from './lines.js'
import type { UiMessage } from './message.js'

export interface UiGroup {
  readonly message: UiMessage
  /** The first and the last entry of it, whatever stands behind it before the next one included. */
  readonly from: string
  readonly to: string
}

export function groupsOf(path: readonly Entry[]): readonly UiGroup[] {
  const begins = new Set(uiLines(path).flatMap((line) => (line.kind === 'step' && line.head ? [line.entry.id] : [])))
  const messages = messagesForUi(path)
  const groups: { from: string; to: string }[] = []
  for (const { id } of path) {
    const last = groups.at(-1)
    if (begins.has(id)) groups.push({ from: id, to: id })
    else if (last) last.to = id
  }
  return groups.map((group, i) => ({ ...group, message: messages[i] as UiMessage }))
}
