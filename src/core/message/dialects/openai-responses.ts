/** Items of OpenAI Responses that have a type and no role. */

import { type Outcome, text } from '../item.js'
import { jsonData } from './plain.js'
import { each, firstOf, idOf, isRaw, own, type Raw, type Sink, str } from './read.js'
import { think } from './think.js'
import { addCall, inputOf, outputParts, pending, result } from './tool.js'

/** True when the type was one of an item; what the item holds is in the sink. */
export function readItem(type: string, item: Raw, sink: Sink): boolean {
  if (type === 'reasoning') readReasoning(item, sink)
  else if (type.endsWith('_output') || type.endsWith('_call_result')) readOutput(item, sink)
  else if (type.endsWith('_call')) readCall(type, item, sink)
  else if (type === 'mcp_approval_request') readApproval(type, item, sink)
  else if (type === 'mcp_approval_response') readVerdict(item, sink)
  else return false
  sink.dialect = 'openai-responses'
  return true
}

function readReasoning(item: Raw, sink: Sink): void {
  const summary = textsOf(own(item, 'summary'), 'summary', sink)
  const content = textsOf(own(item, 'content'), 'content', sink)
  think(sink, content || summary, {
    sealed: str(item, '', sink, 'encrypted_content'),
    id: idOf(item, '', sink, 'id'),
  })
}

function textsOf(list: unknown, at: string, sink: Sink): string {
  if (!Array.isArray(list)) return ''
  const texts: string[] = []
  each(list, at, sink, (entry, path) => {
    const value = isRaw(entry) ? str(entry, path, sink, 'text') : undefined
    if (value) texts.push(value)
  })
  return texts.join('\n\n')
}

function readOutput(item: Raw, sink: Sink): void {
  const callId = idOf(item, '', sink, 'call_id', 'callId', 'id')
  const failed = own(item, 'status') === 'failed' || typeof own(item, 'error') === 'string'
  const output = outputParts(firstOf(item, 'output', 'error', 'tools'), 'output', sink)
  sink.results.push(result(callId, str(item, '', sink, 'name'), failed ? 'error' : 'ok', output))
}

/** A question that someone answers, as a call with its result: neither half is sent without the other. */
function readApproval(type: string, item: Raw, sink: Sink): void {
  const { name = '', server_label: server = '' } = item
  const input = { server, tool: name, arguments: inputOf(own(item, 'arguments'), 'arguments', sink) }
  addCall({ id: idOf(item, '', sink, 'id'), name: type, input: jsonData(input, '', sink) }, 'name', sink)
}

function readVerdict(item: Raw, sink: Sink): void {
  const reason = str(item, '', sink, 'reason')
  const verdict = own(item, 'approve') === true ? 'approved' : 'denied'
  const output = [text(reason ? `${verdict}: ${reason}` : verdict)]
  sink.results.push(result(idOf(item, '', sink, 'approval_request_id'), undefined, 'ok', output))
}

/** Fields of an item that are not arguments of its call. */
const aside: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'callId',
  'status',
  'name',
  'output',
  'outputs',
  'result',
  'results',
  'error',
])

function readCall(type: string, item: Raw, sink: Sink): void {
  const id = idOf(item, '', sink, 'call_id', 'callId', 'id')
  const name = str(item, '', sink, 'name')
  if (type === 'function_call') {
    addCall({ id, name, input: inputOf(own(item, 'arguments'), 'arguments', sink) }, 'name', sink)
  } else if (type === 'custom_tool_call') {
    addCall({ id, name, input: str(item, '', sink, 'input') ?? '' }, 'name', sink)
  } else {
    const input = argumentsOf(item, sink)
    addCall({ id, name: name || type, input, outcome: outcomeOf(type, item, sink) }, 'name', sink)
  }
}

function argumentsOf(item: Raw, sink: Sink): unknown {
  const told = own(item, 'arguments')
  if (told !== undefined && told !== null) return inputOf(told, 'arguments', sink)
  const rest = Object.keys(item).filter((key) => !aside.has(key))
  return jsonData(Object.fromEntries(rest.map((key) => [key, own(item, key)])), '', sink) ?? {}
}

/** Tools that the provider runs itself: their result is in the call, or there is none. */
const hosted: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'hosted_tool_call',
])

function outcomeOf(type: string, item: Raw, sink: Sink): Outcome {
  if (!hosted.has(type)) return pending
  const status = own(item, 'status')
  const error = firstOf(item, 'error')
  if (error !== undefined) return { state: 'error', output: outputParts(error, 'error', sink) }
  if (status === 'failed') return { state: 'error', output: [] }
  const given = firstOf(item, 'output', 'outputs', 'result', 'results')
  if (given === undefined) return status === 'completed' ? { state: 'ok', output: [] } : pending
  const image = type === 'image_generation_call' && typeof given === 'string'
  return { state: 'ok', output: outputParts(image ? { type: 'image', data: given } : given, 'output', sink) }
}
