/** Parts of Google's Gemini API: they have no type, one of their fields says what they are. */

import { text } from '../item.js'
import { factsOf, fileOf } from './file.js'
import { clean, firstOf, idOf, isRaw, own, type Raw, type Sink, str } from './read.js'
import { think } from './think.js'
import { addCall, dataOf, inputOf, outputParts, result } from './tool.js'

/** True when the part is Google's. */
export function readGoogle(part: Raw, at: string, sink: Sink): boolean {
  const signature = str(part, at, sink, 'thoughtSignature', 'thought_signature')
  const said = own(part, 'text')
  if (typeof said === 'string') {
    const value = clean(said, `${at}.text`, sink)
    if (own(part, 'thought') === true) {
      think(sink, value, { signature })
      return true
    }
    if (signature) think(sink, '', { signature })
    if (value !== '') sink.parts.push(text(value))
    return true
  }
  // Gemini signs the call itself; the proof stands before it as reasoning without text
  if (signature) think(sink, '', { signature })
  return readData(part, at, sink)
}

function readData(part: Raw, at: string, sink: Sink): boolean {
  const file = firstOf(part, 'inlineData', 'inline_data', 'fileData', 'file_data')
  if (isRaw(file)) return readFile(file, at, sink)
  const made = firstOf(part, 'functionCall', 'function_call')
  if (isRaw(made)) return readCall(made, at, sink)
  const response = firstOf(part, 'functionResponse', 'function_response')
  if (isRaw(response)) return readResponse(response, at, sink)
  const code = firstOf(part, 'executableCode', 'executable_code')
  if (isRaw(code)) {
    addCall({ id: idOf(code, at, sink, 'id'), name: 'code_execution', input: inputOf(code, at, sink) }, at, sink)
    return true
  }
  const ran = firstOf(part, 'codeExecutionResult', 'code_execution_result')
  if (!isRaw(ran)) return false
  const state = own(ran, 'outcome') === 'OUTCOME_OK' ? 'ok' : 'error'
  const output = outputParts(own(ran, 'output'), at, sink)
  sink.results.push(result(idOf(ran, at, sink, 'id'), 'code_execution', state, output))
  return true
}

function readFile(raw: Raw, at: string, sink: Sink): boolean {
  const facts = { ...factsOf(raw, at, sink), name: str(raw, at, sink, 'displayName', 'display_name') }
  const part = fileOf(firstOf(raw, 'data', 'fileUri', 'file_uri'), at, sink, facts)
  if (part) sink.parts.push(part)
  return part !== undefined
}

function readCall(raw: Raw, at: string, sink: Sink): boolean {
  const input = inputOf(own(raw, 'args'), `${at}.args`, sink)
  addCall({ id: idOf(raw, at, sink, 'id'), name: str(raw, at, sink, 'name'), input }, at, sink)
  return true
}

/** `output` and `error` are Google's names for the two ends of a call; any other shape is the output itself. */
function readResponse(raw: Raw, at: string, sink: Sink): boolean {
  const response = own(raw, 'response')
  const path = `${at}.response`
  const keys = isRaw(response) ? Object.keys(response) : []
  const only = keys.length === 1 ? keys[0] : undefined
  const failed = only === 'error'
  const value = isRaw(response) && (failed || only === 'output') ? own(response, only as string) : response
  const output = dataOf(value, path, sink)
  const callId = idOf(raw, at, sink, 'id')
  sink.results.push(result(callId, str(raw, at, sink, 'name'), failed ? 'error' : 'ok', output))
  return true
}
