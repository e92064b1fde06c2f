import { imageOf, judgeImage } from './images.js'
import type { Fields, Json } from './json.js'
import { judgeReasoned } from './openai-reasoning.js'
import { type Pairing, pairing } from './pairing.js'
import type { Scope } from './scope.js'
import {
  content,
  isFields,
  isFilled,
  isJsonText,
  isList,
  isMatch,
  isOptional,
  isUrl,
  listOf,
  text,
  toolNames,
} from './shape.js'
import type { compatibleResponsesRules } from './table/compatible.js'
import type { openaiResponsesRules } from './table/openai.js'
import { type NameOf, quote, type Report } from './table/rule.js'

export type ResponsesReport = Report<NameOf<typeof openaiResponsesRules | typeof compatibleResponsesRules>>
type Reports = ResponsesReport

const mostTools = 128
const mostChars = 10_485_760

const roles = new Set(['user', 'assistant', 'system', 'developer'])
/** Calls that the client runs, and the type of their outputs. */
const answers = new Map([
  ['function_call', 'function_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
  ['shell_call', 'shell_call_output'],
  ['local_shell_call', 'local_shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['computer_call', 'computer_call_output'],
  ['tool_search_call', 'tool_search_output'],
])
const outputs = new Set(answers.values())
const functionName = /^[a-zA-Z0-9_-]{1,64}$/
const itemId = /^[a-zA-Z0-9_-]{1,64}$/
const prefixes = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
])

export function judgeOpenaiResponses(request: Json, report: Reports, scope: Scope) {
  if (isFields(request)) judgeBody(request, report)
  if (isFields(request) && typeof request.input === 'string') return text(request.input, 'input', report)
  const list = listOf(request, 'input', report)
  if (!list) return
  // an output may answer a call that the provider keeps
  const kept = !isOptional(list.body.previous_response_id) || !isOptional(list.body.conversation)
  const known = kept || list.values.some((item) => isFields(item) && item.type === 'item_reference')
  const pairs = new Map([...outputs].map((type) => [type, pairing(report, known)]))
  const ids = new Set<string>()
  for (const [i, item] of list.values.entries()) {
    const path = `${list.path}[${i}]`
    const type = typeOf(item)
    if (!isFields(item) || type === undefined) {
      report('item.shape', path, 'an item must be an object with a type')
      continue
    }
    judgeId(item, type, path, ids, report)
    if (type === 'message') judgeMessage(item, path, scope, report)
    if (type === 'reasoning') judgeReasoning(item, list.values[i + 1], path, report)
    const answer = answers.get(type)
    if (answer && isRunByClient(item, type)) judgeCall(item, type, path, pairs.get(answer), report)
    if (outputs.has(type) && item.execution !== 'server') judgeOutput(item, type, path, pairs.get(type), scope, report)
  }
  for (const pair of pairs.values()) pair.close()
  judgeApprovals(list.values, list.path, known, report)
  judgeReasoned(list, scope, report)
  const last = list.values.at(-1)
  if (last !== undefined && typeOf(last) !== undefined && !asksForAnswer(last)) {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last item must be from the user or a tool')
  }
}

/** Searches for tools may be the provider's own. */
const isRunByClient = (item: Fields, type: string): boolean =>
  type !== 'tool_search_call' || item.execution === 'client'

function judgeApprovals(items: readonly Json[], path: string, known: boolean, report: Reports) {
  const answered = new Set(items.map((item) => (isFields(item) ? item.approval_request_id : undefined)))
  items.forEach((item, i) => {
    if (!isFields(item) || item.type !== 'mcp_approval_request' || answered.has(item.id) || known) return
    report('approval.open', `${path}[${i}]`, 'the request for approval has no response')
  })
}

function judgeBody(request: Fields, report: Reports) {
  const { instructions } = request
  if (!isOptional(request.previous_response_id) && !isOptional(request.conversation))
    report('previous.conversation', 'conversation', 'a request names a previous response or a conversation')
  if (isList(request.tools) && request.tools.length > mostTools)
    report('tools.many', 'tools', `there are ${request.tools.length} tools`)
  const format = isFields(request.text) && isFields(request.text.format) ? request.text.format.type : undefined
  if (format === 'json_object' && !/json/i.test(JSON.stringify([request.input ?? '', instructions ?? ''])))
    report('json.word', 'text.format', 'nothing says the word JSON')
  if (typeof instructions === 'string') text(instructions, 'instructions', report)
  else if (!isOptional(instructions)) report('instructions.shape', 'instructions', 'instructions must be a string')
  toolNames(request.tools, 'tools', functionName, definedName, report)
}

function judgeId(item: Fields, type: string, path: string, ids: Set<string>, report: Reports) {
  const { id } = item
  if (isOptional(id) || type === 'item_reference') return
  if (!isMatch(id, itemId)) return report('item.id', `${path}.id`, `the id must match ${itemId.source}`)
  const prefix = prefixes.get(type)
  if (prefix && !id.startsWith(prefix)) report('item.id', `${path}.id`, `the id must begin with '${prefix}'`)
  if (ids.has(id)) report('item.id.repeated', `${path}.id`, `the item id ${quote(id)} is used twice`)
  ids.add(id)
}

function judgeMessage(item: Fields, path: string, scope: Scope, report: Reports) {
  const { role } = item
  if (typeof role !== 'string' || !roles.has(role)) return report('message.role', `${path}.role`, 'unknown role')
  content(item.content, `${path}.content`, report, (part, type, at) => {
    if (role === 'assistant') judgeOutputPart(part, type, at, report)
    else judgeInputPart(part, type, at, scope, report)
  })
}

function judgeOutputPart(part: Fields, type: string, path: string, report: Reports) {
  if (type === 'output_text') text(part.text, `${path}.text`, report)
  else if (type === 'refusal') text(part.refusal, `${path}.refusal`, report)
  else report('part.type', path, 'an assistant message takes output_text and refusal only')
}

function judgeInputPart(part: Fields, type: string, path: string, scope: Scope, report: Reports) {
  if (typeof part.text === 'string' && part.text.length > mostChars)
    report('request.chars', path, `the text has ${part.text.length} characters`)
  if (type === 'input_text') return text(part.text, `${path}.text`, report)
  const loads = sources.get(type)
  if (!loads)
    return report('part.type', path, 'the part is not one of input_text, input_image, input_file, input_audio')
  if (!loads(part)) return report('part.source', path, 'the part has nothing to load')
  if (type === 'input_image' && isFilled(part.image_url))
    judgeImage(imageOf(part.image_url, path), scope.traits.images, (_, at, message) =>
      report('image.type', at, message),
    )
}

const sources = new Map<string, (part: Fields) => boolean>([
  ['input_image', (part) => isUrl(part.image_url) || isFilled(part.file_id)],
  ['input_file', (part) => isFilled(part.file_data) || isFilled(part.file_id) || isUrl(part.file_url)],
  ['input_audio', (part) => isFields(part.input_audio) && isFilled(part.input_audio.data)],
])

function judgeReasoning(item: Fields, next: Json | undefined, path: string, report: Reports) {
  if (!isList(item.summary)) report('reasoning.shape', `${path}.summary`, 'summary must be a list')
  if (!isFilled(item.id) && !isFilled(item.encrypted_content)) {
    report('reasoning.shape', path, 'reasoning must have an id or encrypted_content')
  }
  if (!comesFromModel(next)) report('reasoning.alone', path, 'reasoning must be followed by the item it led to')
}

function judgeCall(item: Fields, type: string, path: string, pairs: Pairing | undefined, report: Reports) {
  if (isCallId(item.call_id)) pairs?.call(item.call_id, path)
  else report('tool.id', `${path}.call_id`, 'call_id must be a string of 1 to 64 characters')
  if (type !== 'function_call' && type !== 'custom_tool_call') return
  if (!isMatch(item.name, functionName))
    report('tool.name', `${path}.name`, `the name must match ${functionName.source}`)
  const legal = type === 'function_call' ? isJsonText(item.arguments) : typeof item.input === 'string'
  if (!legal) report('tool.arguments', path, 'the arguments must be a string of valid JSON, the input a string')
}

function judgeOutput(
  item: Fields,
  type: string,
  path: string,
  pairs: Pairing | undefined,
  scope: Scope,
  report: Reports,
) {
  const id = item.call_id ?? (type === 'local_shell_call_output' ? item.id : undefined)
  if (isCallId(id)) pairs?.result(id, path)
  else report('tool.id', `${path}.call_id`, 'call_id must be a string of 1 to 64 characters')
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return
  content(item.output, `${path}.output`, report, (part, kind, at) => judgeInputPart(part, kind, at, scope, report))
}

function typeOf(item: Json): string | undefined {
  if (!isFields(item)) return undefined
  if (typeof item.type === 'string') return item.type
  return item.type === undefined && item.role !== undefined ? 'message' : undefined
}

function comesFromModel(item: Json | undefined): boolean {
  const type = item === undefined ? undefined : typeOf(item)
  if (type === undefined) return false
  return type === 'message' ? (item as Fields).role === 'assistant' : !isAnswer(type)
}

function asksForAnswer(item: Json): boolean {
  const type = typeOf(item) as string
  return type === 'message' ? (item as Fields).role === 'user' : isAnswer(type) || asking.has(type)
}

const asking = new Set(['item_reference', 'compaction_trigger'])

const isAnswer = (type: string): boolean => type.endsWith('_output') || type.endsWith('_response')

// only functions and custom tools are named by the caller
const definedName = (tool: Fields): Json | undefined =>
  tool.type === 'function' || tool.type === 'custom' || tool.type === undefined ? (tool.name ?? null) : undefined

const isCallId = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 64
