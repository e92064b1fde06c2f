/** Calls of a path that have no result yet. */

import type { Entry } from '../store/contract/entry.js'
import { callsOf } from '../store/shared/link.js'
import type { Source } from './window/window.js'

/** Reads back only as far as the last assistant message that calls, or the user message before it. */
export async function openCalls({ store, workspace, conversation }: Source, last: Entry): Promise<readonly string[]> {
  if (!mayBeOpen(last)) return []
  for (let reach = 16; ; reach *= 4) {
    const path = await store.path(workspace, conversation, last.id, reach)
    const turn = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
    if (turn < 0 && path[0]?.parent !== null && reach < 100_000) continue
    return unanswered(path.slice(turn + 1))
  }
}

const mayBeOpen = ({ body }: Entry): boolean =>
  body.kind === 'result' || body.kind === 'note' || callsOf(body).length > 0

function unanswered(entries: readonly Entry[]): string[] {
  const open = new Set<string>()
  for (const { body } of entries) {
    for (const call of callsOf(body)) open.add(call)
    if (body.kind === 'result') open.delete(body.callId)
  }
  return [...open]
}
