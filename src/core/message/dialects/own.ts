/** Parts of our own shape that are neither text nor files. */

import type { Outcome } from '../item.js'
import { jsonData } from './plain.js'
import { idOf, isRaw, note, own, type Raw, type Sink, str } from './read.js'
import { think } from './think.js'
import { addCall, outputParts, pending } from './tool.js'

/** True when the type is ours. */
export function readOwn(type: string, part: Raw, at: string, sink: Sink): boolean {
  if (type === 'think') {
    think(sink, str(part, at, sink, 'text') ?? '', {
      signature: str(part, at, sink, 'signature'),
      sealed: str(part, at, sink, 'sealed'),
      id: idOf(part, at, sink, 'id'),
      prefix: str(part, at, sink, 'prefix'),
      issuer: str(part, at, sink, 'issuer'),
    })
  } else if (type === 'call') readCall(part, at, sink)
  else if (type === 'result') readResult(part, at, sink)
  else return false
  return true
}

function readCall(part: Raw, at: string, sink: Sink): void {
  const outcome = outcomeOf(own(part, 'outcome'), `${at}.outcome`, sink)
  const given = own(part, 'input')
  // our own input is a JSON value already: a string is a string, null is null
  const input = given === undefined ? {} : jsonData(given, `${at}.input`, sink)
  const [id, from] = [idOf(part, at, sink, 'id'), idOf(part, at, sink, 'from')]
  addCall({ id, name: str(part, at, sink, 'name'), input: input ?? null, outcome, from }, at, sink)
}

/** A result that stands apart from its call, as the log keeps it. */
function readResult(part: Raw, at: string, sink: Sink): void {
  const callId = idOf(part, at, sink, 'callId')
  sink.results.push({
    ...(callId === undefined ? null : { callId }),
    state: own(part, 'state') === 'error' ? 'error' : 'ok',
    output: outputParts(own(part, 'output'), `${at}.output`, sink),
  })
}

function outcomeOf(told: unknown, at: string, sink: Sink): Outcome {
  const state = isRaw(told) ? own(told, 'state') : undefined
  if (isRaw(told) && (state === 'ok' || state === 'error')) {
    return { state, output: outputParts(own(told, 'output'), `${at}.output`, sink) }
  }
  if (state !== 'pending' && told !== undefined) note(sink, at, 'unknown outcome, taken as pending')
  return pending
}
