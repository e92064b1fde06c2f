/** Looks at each message by itself: what it is, and what a policy has to say about it. */

import { type Decoded, decode } from '../core/message/dialects/decode.js'
import type { Issue } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import { admit } from '../core/window/admit.js'
import { resolvePolicy } from '../core/window/plan.js'
import { say } from '../core/window/voice.js'
import type { Request } from './kit/request.js'
import { number, short } from './kit/term.js'

export interface Portrait {
  readonly index: number
  readonly speaker: string
  readonly dialect: string
  readonly holds: string
}

export interface Verdict {
  readonly policy: string
  readonly dialects: Readonly<Record<string, number>>
  readonly messages: readonly Portrait[]
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
}

export function judge(request: Request): Verdict {
  const { overrides, compat } = request
  const resolved = resolvePolicy(request.policy, {
    ...(overrides === undefined ? null : { overrides }),
    ...(compat === undefined ? null : { compat }),
  })
  const list = Array.isArray(request.messages) ? (request.messages as readonly unknown[]) : []
  const messages = list.map(portray)
  const dialects: Record<string, number> = {}
  for (const { dialect } of messages) if (dialect !== '–') dialects[dialect] = (dialects[dialect] ?? 0) + 1
  if (!resolved.ok) return { policy: '–', dialects, messages, errors: resolved.issues, warnings: [] }

  const { name, intake } = resolved.policy
  const floor = intake.last === null ? 0 : Math.max(0, list.length - intake.last)
  const errors: Issue[] = []
  const warnings: Issue[] = []
  for (let index = floor; index < list.length; index++) {
    const admitted = admit(list[index], intake, request.now)
    const notes = admitted.ok ? admitted.notes : [admitted.note]
    const fatal = intake.invalid === 'reject' && !admitted.ok && admitted.note.code !== 'admit.empty'
    for (const note of notes) (fatal ? errors : warnings).push(say(intake.voice, { ...note, index: index - floor }))
  }
  return { policy: name, dialects, messages, errors, warnings }
}

function portray(message: unknown, index: number): Portrait {
  const decoded = decode(message)
  if (!decoded.ok) return { index, speaker: '?', dialect: '–', holds: `no message: ${decoded.reason}` }
  return { index, speaker: speakerOf(decoded), dialect: decoded.dialect, holds: holdsOf(decoded) }
}

const speakerOf = ({ author, role, results, parts }: Decoded): string =>
  results.length > 0 && parts.length === 0 ? 'tool' : (author ?? role)

function holdsOf({ parts, results, lost }: Decoded): string {
  const said = [
    ...parts.map(partText),
    ...results.map(({ name, callId, state, output }) => {
      const size = output.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
      return `${state === 'ok' ? 'result' : 'failure'} of ${name ?? callId ?? 'a call'}, ${number(size)} characters`
    }),
  ]
  return `${said.join(' + ') || 'nothing'}${lost.length > 0 ? ` (lost: ${lost.join('; ')})` : ''}`
}

function partText(part: Part): string {
  if (part.type === 'text')
    return `"${short(part.text, 48)}"${part.text.length > 48 ? ` ${number(part.text.length)} characters` : ''}`
  if (part.type === 'think') return 'reasoning'
  if (part.type === 'file') return part.name ?? part.mediaType
  return `${part.name}(${short(JSON.stringify(part.input) ?? '', 40)})`
}
