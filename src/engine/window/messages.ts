/** Entries as the raw messages that core takes; notes have no place in a window. */
import type { Part } from '../../core/message/item.js'
import type { Policy } from '../../core/policy/schema.js'
import type { Entry } from '../../store/contract/entry.js'

/** Where a policy takes nothing but text, the text of a message is all it gets. */
export function messageOf(entry: Entry, { intake }: Policy): object | undefined {
  const { body } = entry
  if (entry.redacted) return undefined
  const onlyText = intake.content === 'string'
  if (body.kind === 'message') {
    const said = onlyText ? contentOf(body.parts) : { parts: body.parts }
    if (said === undefined) return undefined
    // a name that a user took is no office
    const orchestrates = entry.author === 'orchestrator' && body.role === 'assistant'
    return {
      id: entry.id,
      role: orchestrates ? 'orchestrator' : body.role,
      ...said,
      timestamp: entry.at,
      ...(entry.model === undefined ? null : { model: entry.model }),
      ...(entry.author === undefined || orchestrates ? null : { name: entry.author }),
    }
  }
  if (body.kind !== 'result' || onlyText) return undefined
  return {
    id: entry.id,
    role: 'tool',
    parts: [{ type: 'result', callId: body.callId, state: body.state, output: body.output }],
    timestamp: entry.at,
  }
}

function contentOf(parts: readonly Part[]): { readonly content: string } | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === 0 ? undefined : { content: texts.join('\n') }
}
