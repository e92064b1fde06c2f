/** Parts of AI SDK messages, UI and model, v4 to v7, that are neither text nor files. */

import type { Outcome, OutputPart } from '../item.js'
import { text } from '../item.js'
import { each, firstOf, idOf, isRaw, note, own, type Raw, type Sink, str, typeName } from './read.js'
import { sealOf, think } from './think.js'
import { addCall, dataOf, inputOf, outputParts, pending, result } from './tool.js'

/** True when the type is the AI SDK's. */
export function readAiSdk(type: string, part: Raw, at: string, sink: Sink): boolean {
  // a UI tool that is named "call" has the type of a model message's call
  const isUi = typeof own(part, 'state') === 'string' && own(part, 'toolName') === undefined
  if (type === 'step-start') return true
  if (type === 'reasoning' || type === 'redacted-reasoning') readReasoning(part, at, sink)
  else if (type === 'tool-call' && !isUi) readCall(part, at, sink)
  else if (type === 'tool-result' && !isUi) readResult(part, at, sink)
  else if (type === 'tool-invocation' && isRaw(own(part, 'toolInvocation'))) readInvocation(part, at, sink)
  else if (type === 'dynamic-tool') readTool(str(part, at, sink, 'toolName'), part, at, sink)
  else if (type.startsWith('tool-approval-')) note(sink, at, `${type} parts are not kept`)
  else if (type.startsWith('tool-')) readTool(type.slice('tool-'.length), part, at, sink)
  else if (type.startsWith('data-') || type.startsWith('source')) note(sink, at, `${type} parts are not kept`)
  else return false
  return true
}

/** v4 messages without parts keep their tools beside the content. */
export function readInvocations(message: Raw, sink: Sink): void {
  const list = own(message, 'toolInvocations')
  if (!Array.isArray(list)) return
  sink.dialect = 'ai-sdk'
  each(list, 'toolInvocations', sink, (entry, at) => readInvocation({ toolInvocation: entry }, at, sink))
}

function readReasoning(part: Raw, at: string, sink: Sink): void {
  const seal = sealOf(part, at, sink)
  think(sink, str(part, at, sink, 'text', 'reasoning') ?? '', {
    signature: str(part, at, sink, 'signature') ?? seal.signature,
    sealed: str(part, at, sink, 'data') ?? seal.sealed,
    id: seal.id ?? idOf(part, at, sink, 'id'),
  })
}

/** A call and what became of it, in one part. */
function readTool(name: string | undefined, part: Raw, at: string, sink: Sink): void {
  const input = inputOf(firstOf(part, 'input', 'rawInput', 'args'), `${at}.input`, sink)
  signCall(part, at, sink)
  addCall({ id: idOf(part, at, sink, 'toolCallId'), name, input, outcome: outcomeOf(part, at, sink) }, at, sink)
}

function outcomeOf(part: Raw, at: string, sink: Sink): Outcome {
  const state = own(part, 'state')
  switch (state) {
    case 'output-available':
    case 'result':
      return { state: 'ok', output: dataOf(firstOf(part, 'output', 'result'), `${at}.output`, sink) }
    case 'output-error':
      return { state: 'error', output: outputParts(own(part, 'errorText'), `${at}.errorText`, sink) }
    case 'output-denied':
      return { state: 'error', output: denied(own(part, 'approval'), at, sink) }
    case 'input-streaming':
    case 'input-available':
    case 'approval-requested':
    case 'approval-responded':
    case 'partial-call':
    case 'call':
      return pending
    default:
      note(sink, at, 'unknown tool state, taken as pending')
      return pending
  }
}

function denied(told: unknown, at: string, sink: Sink): readonly OutputPart[] {
  const reason = isRaw(told) ? str(told, at, sink, 'reason') : undefined
  return [text(reason || 'Tool execution was denied.')]
}

function readInvocation(part: Raw, at: string, sink: Sink): void {
  const invocation = own(part, 'toolInvocation')
  if (isRaw(invocation)) readTool(str(invocation, at, sink, 'toolName'), invocation, at, sink)
  else note(sink, at, `a tool call is an object, not ${typeName(invocation)}`)
}

function readCall(part: Raw, at: string, sink: Sink): void {
  const input = inputOf(firstOf(part, 'input', 'args'), `${at}.input`, sink)
  signCall(part, at, sink)
  addCall({ id: idOf(part, at, sink, 'toolCallId'), name: str(part, at, sink, 'toolName'), input }, at, sink)
}

/** Gemini signs the call itself; the proof stands before it as reasoning without text. */
function signCall(part: Raw, at: string, sink: Sink): void {
  const { signature } = sealOf(part, at, sink)
  if (signature) think(sink, '', { signature })
}

function readResult(part: Raw, at: string, sink: Sink): void {
  const callId = idOf(part, at, sink, 'toolCallId')
  const name = str(part, at, sink, 'toolName')
  const told = own(part, 'output')
  const kind = isRaw(told) ? own(told, 'type') : undefined
  const path = `${at}.output`
  if (!isRaw(told) || typeof kind !== 'string' || !(Object.hasOwn(told, 'value') || kind === 'execution-denied')) {
    const failed = own(part, 'isError') === true
    const output = dataOf(told ?? firstOf(part, 'experimental_content', 'result'), path, sink)
    sink.results.push(result(callId, name, failed ? 'error' : 'ok', output))
    return
  }
  if (kind === 'execution-denied') {
    sink.results.push(result(callId, name, 'error', denied(told, at, sink)))
    return
  }
  const read = kind === 'content' ? outputParts : dataOf
  const output = read(own(told, 'value'), `${path}.value`, sink)
  sink.results.push(result(callId, name, kind.startsWith('error-') ? 'error' : 'ok', output))
}
