/** Entries as the raw messages that core takes; notes have no place in a window. */
import type { Entry } from '../store/entry.js'

export function messageOf(entry: Entry): object | undefined {
  const { body } = entry
  if (entry.redacted) return undefined
  switch (body.kind) {
    case 'message':
      return {
        id: entry.id,
        role: entry.author === 'orchestrator' ? 'orchestrator' : body.role,
        parts: body.parts,
        timestamp: entry.at,
        ...(entry.model === undefined ? null : { model: entry.model }),
        ...(entry.author === undefined || entry.author === 'orchestrator' ? null : { name: entry.author }),
      }
    case 'result':
      return {
        id: entry.id,
        role: 'tool',
        parts: [{ type: 'result', callId: body.callId, state: body.state, output: body.output }],
        timestamp: entry.at,
      }
    case 'summary':
    case 'note':
      return undefined
  }
}
