/** Calls of a path that have no result yet. */
import type { CallPart } from '../core/message/item.js'
import type { Entry } from '../store/contract/entry.js'
import { callsOf } from '../store/shared/link.js'
import type { Source } from './window/window.js'

export const openCalls = async (source: Source, last: Entry): Promise<readonly string[]> =>
  (await openCallParts(source, last)).map(({ id }) => id)

/** Reads back only as far as the last assistant message that calls, or the user message before it. */
export async function openCallParts(
  { store, workspace, conversation }: Source,
  last: Entry,
): Promise<readonly CallPart[]> {
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

function unanswered(entries: readonly Entry[]): CallPart[] {
  const open = new Map<string, CallPart>()
  for (const { body } of entries) {
    if (body.kind === 'message') for (const part of body.parts) if (part.type === 'call') open.set(part.id, part)
    if (body.kind === 'result') open.delete(body.callId)
  }
  return [...open.values()]
}
