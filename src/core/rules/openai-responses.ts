import type { Fields, Json } from './json.js'
import { type Pairing, pairing } from './pairing.js'
import { type NameOf, quote, type Report, type Rule } from './rule.js'
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

export const openaiResponsesRules = [
  { rule: 'request.shape', says: 'The request is { input } with a list or a text, or the list of items.' },
  { rule: 'messages.empty', says: 'There is at least one input item.' },
  { rule: 'item.shape', says: 'Every item is an object with a type; a message may go without one.' },
  {
    rule: 'item.id',
    says:
      'An item id has 1 to 64 characters of a-z, A-Z, 0-9, _ and -, and begins with msg, rs or fc on a ' +
      'message, reasoning or function call ("Expected an ID that begins with \'rs\'").',
  },
  {
    rule: 'item.id.repeated',
    says: '"Duplicate item found with id ... Remove duplicate items from your input and try again."',
  },
  { rule: 'message.role', says: 'The role of a message is user, assistant, system or developer.' },
  {
    rule: 'message.last',
    says: 'The last item is a user message or the output of a call: the request asks for an answer.',
  },
  { rule: 'instructions.shape', says: 'instructions is a string.' },
  { rule: 'content.empty', says: 'Content is required; part lists are not empty.' },
  { rule: 'content.shape', says: 'Content is a string or a list of parts that have a type; text is a string.' },
  { rule: 'text.blank', says: 'Text is not blank.' },
  {
    rule: 'part.type',
    says:
      "Assistant parts are output_text or refusal (\"Supported values are: 'output_text' and " +
      "'refusal'\"); all others input_text, input_image, input_file or input_audio.",
  },
  { rule: 'part.source', says: 'input_image has image_url or file_id; input_file has file_data, file_url or file_id.' },
  {
    rule: 'reasoning.shape',
    says: 'A reasoning item has a list `summary` (it may be empty) and an id or encrypted_content.',
  },
  {
    rule: 'reasoning.alone',
    says:
      '"Item of type \'reasoning\' was provided without its required following item": an assistant ' +
      'message or a call follows.',
  },
  {
    rule: 'tool.id',
    says: 'call_id has 1 to 64 characters ("string too long. Expected a string with maximum length 64").',
  },
  { rule: 'tool.id.repeated', says: 'A call_id is used by one call.' },
  { rule: 'tool.name', says: 'The name of a call has 1 to 64 characters of a-z, A-Z, 0-9, _ and -.' },
  {
    rule: 'tool.arguments',
    says: 'The arguments of a function call are a string of valid JSON; the input of a custom call is a string.',
  },
  { rule: 'tool.result.missing', says: '"No tool output found for function call ..."' },
  {
    rule: 'tool.result.orphan',
    says: '"No tool call found for function call output with call_id ...": the call comes before its output.',
  },
  { rule: 'tool.result.repeated', says: 'A call has one output.' },
  {
    rule: 'tools.shape',
    says: 'tools is a list of definitions; functions have a name of their own of the form above.',
  },
] as const satisfies readonly Rule[]

type Reports = Report<NameOf<typeof openaiResponsesRules>>

const roles = new Set(['user', 'assistant', 'system', 'developer'])
const calls = new Set(['function_call', 'custom_tool_call'])
const outputs = new Set(['function_call_output', 'custom_tool_call_output'])
const functionName = /^[a-zA-Z0-9_-]{1,64}$/
const itemId = /^[a-zA-Z0-9_-]{1,64}$/
const prefixes = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
])

export function judgeOpenaiResponses(request: Json, report: Reports) {
  if (isFields(request)) judgeBody(request, report)
  if (isFields(request) && typeof request.input === 'string') return text(request.input, 'input', report)
  const list = listOf(request, 'input', report)
  if (!list) return
  const pairs = pairing(report)
  const ids = new Set<string>()
  for (const [i, item] of list.values.entries()) {
    const path = `${list.path}[${i}]`
    const type = typeOf(item)
    if (!isFields(item) || type === undefined) {
      report('item.shape', path, 'an item must be an object with a type')
      continue
    }
    judgeId(item, type, path, ids, report)
    if (type === 'message') judgeMessage(item, path, report)
    if (type === 'reasoning') judgeReasoning(item, list.values[i + 1], path, report)
    if (calls.has(type)) judgeCall(item, type, path, pairs, report)
    if (outputs.has(type)) judgeOutput(item, path, pairs, report)
  }
  pairs.close()
  const last = list.values.at(-1)
  if (last !== undefined && typeOf(last) !== undefined && !asksForAnswer(last)) {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last item must be from the user or a tool')
  }
}

function judgeBody(request: Fields, report: Reports) {
  const { instructions } = request
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

function judgeMessage(item: Fields, path: string, report: Reports) {
  const { role } = item
  if (typeof role !== 'string' || !roles.has(role)) return report('message.role', `${path}.role`, 'unknown role')
  content(item.content, `${path}.content`, report, (part, type, at) => {
    if (role === 'assistant') judgeOutputPart(part, type, at, report)
    else judgeInputPart(part, type, at, report)
  })
}

function judgeOutputPart(part: Fields, type: string, path: string, report: Reports) {
  if (type === 'output_text') text(part.text, `${path}.text`, report)
  else if (type === 'refusal') text(part.refusal, `${path}.refusal`, report)
  else report('part.type', path, 'an assistant message takes output_text and refusal only')
}

function judgeInputPart(part: Fields, type: string, path: string, report: Reports) {
  if (type === 'input_text') return text(part.text, `${path}.text`, report)
  const loads = sources.get(type)
  if (!loads)
    return report('part.type', path, 'the part is not one of input_text, input_image, input_file, input_audio')
  if (!loads(part)) report('part.source', path, 'the part has nothing to load')
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

function judgeCall(item: Fields, type: string, path: string, pairs: Pairing, report: Reports) {
  if (isCallId(item.call_id)) pairs.call(item.call_id, path)
  else report('tool.id', `${path}.call_id`, 'call_id must be a string of 1 to 64 characters')
  if (!isMatch(item.name, functionName))
    report('tool.name', `${path}.name`, `the name must match ${functionName.source}`)
  const legal = type === 'function_call' ? isJsonText(item.arguments) : typeof item.input === 'string'
  if (!legal) report('tool.arguments', path, 'the arguments must be a string of valid JSON, the input a string')
}

function judgeOutput(item: Fields, path: string, pairs: Pairing, report: Reports) {
  if (isCallId(item.call_id)) pairs.result(item.call_id, path)
  else report('tool.id', `${path}.call_id`, 'call_id must be a string of 1 to 64 characters')
  content(item.output, `${path}.output`, report, (part, type, at) => judgeInputPart(part, type, at, report))
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
  return type === 'message' ? (item as Fields).role === 'user' : isAnswer(type) || type === 'item_reference'
}

const isAnswer = (type: string): boolean => type.endsWith('_output') || type.endsWith('_response')

// only functions and custom tools are named by the caller
const definedName = (tool: Fields): Json | undefined =>
  tool.type === 'function' || tool.type === 'custom' || tool.type === undefined ? (tool.name ?? null) : undefined

const isCallId = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 64
