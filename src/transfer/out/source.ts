/** A stored conversation, read piece by piece, for those who write it down. */
import type { CallPart, Item } from '../../core/message/item.js'
import type { Source } from '../../engine/window/window.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Store } from '../../store/contract/store.js'

export interface Exporting {
  readonly store: Store
  readonly workspace: string
  readonly conversation: Conversation
  /** The end of the branch, for forms that have one path. */
  readonly head: string | null
}

/** As the engine reads it. */
export const sourceOf = ({ store, workspace, conversation: { id } }: Exporting): Source => ({
  ...{ store, workspace, conversation: id },
})

export const pathIn = async ({ store, workspace, conversation, head }: Exporting): Promise<readonly Entry[]> =>
  head === null ? [] : store.path(workspace, conversation.id, head)

/** The path as a reader sees it: each call with its result. Summaries and notes stand for nothing that is missing here. */
export function pathItems(path: readonly Entry[]): Item[] {
  const items: Item[] = []
  const open = new Map<string, number>()
  for (const { id, body, at, author, model, redacted } of path) {
    if (redacted) continue
    if (body.kind === 'message') {
      for (const part of body.parts) if (part.type === 'call') open.set(part.id, items.length)
      items.push({ role: body.role, parts: body.parts, id, at, ...(author && { author }), ...(model && { model }) })
    } else if (body.kind === 'result') {
      const place = open.get(body.callId)
      const item = place === undefined ? undefined : items[place]
      if (place === undefined || !item) continue
      open.delete(body.callId)
      const outcome = { state: body.state, output: body.output }
      const parts = item.parts.map((part) =>
        part.type === 'call' && part.id === body.callId ? ({ ...part, outcome } satisfies CallPart) : part,
      )
      items[place] = { ...item, parts }
    }
  }
  return items
}
