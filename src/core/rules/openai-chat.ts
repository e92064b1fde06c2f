import type { Fields, Json } from './json.js'
import { type Pairing, pairing } from './pairing.js'
import type { NameOf, Report, Rule } from './rule.js'
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

export const openaiChatRules = [
  { rule: 'request.shape', says: 'The request is { messages } or the list of messages.' },
  { rule: 'messages.empty', says: 'There is at least one message ("[] is too short - \'messages\'").' },
  { rule: 'message.shape', says: 'Every message is an object.' },
  { rule: 'message.role', says: 'The role is system, developer, user, assistant, tool or function.' },
  { rule: 'message.name', says: 'A name has 1 to 64 characters and matches ^[^\\s<|\\\\/>]+$.' },
  {
    rule: 'message.last',
    says:
      'The last message is from the user or a tool: the request asks for an answer. OpenAI itself ' +
      'tolerates others, compatible servers refuse them.',
  },
  {
    rule: 'content.empty',
    says: 'Content is required, except beside tool_calls, function_call or audio; part lists are not empty.',
  },
  { rule: 'content.shape', says: 'Content is a string or a list of parts that have a type; text is a string.' },
  { rule: 'text.blank', says: 'Text is not blank.' },
  {
    rule: 'part.type',
    says: 'User parts are text, image_url, input_audio or file; assistant parts text or refusal; all others text.',
  },
  {
    rule: 'part.source',
    says: 'image_url has a url, input_audio has data and format wav or mp3, file has file_data or file_id.',
  },
  {
    rule: 'tool.calls',
    says: 'tool_calls stands on assistant messages only and is a list of at least one function or custom call.',
  },
  {
    rule: 'tool.id',
    says: 'A call id has 1 to 40 characters ("string too long. Expected a string with maximum length 40").',
  },
  { rule: 'tool.id.repeated', says: 'A call id is used once in the whole request.' },
  { rule: 'tool.name', says: 'A function name matches ^[a-zA-Z0-9_-]{1,64}$.' },
  { rule: 'tool.arguments', says: 'The arguments of a call are a string of valid JSON.' },
  {
    rule: 'tool.result.missing',
    says:
      "\"An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
      "'tool_call_id'.\"",
  },
  {
    rule: 'tool.result.orphan',
    says: "\"messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.\"",
  },
  { rule: 'tool.result.repeated', says: 'A call has one result.' },
  {
    rule: 'tools.shape',
    says: 'tools is a list of at least one definition, each with its own name of the form above.',
  },
] as const satisfies readonly Rule[]

type Reports = Report<NameOf<typeof openaiChatRules>>

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
const functionName = /^[a-zA-Z0-9_-]{1,64}$/
const participant = /^[^\s<|\\/>]{1,64}$/

export function judgeOpenaiChat(request: Json, report: Reports) {
  const list = listOf(request, 'messages', report)
  if (!list) return
  const pairs = pairing(report)
  for (const [i, message] of list.values.entries()) judgeMessage(message, `${list.path}[${i}]`, pairs, report)
  pairs.close()
  const last = list.values.at(-1)
  if (isFields(last) && !['user', 'tool', 'function'].includes(last.role as string)) {
    report(
      'message.last',
      `${list.path}[${list.values.length - 1}]`,
      'the last message must be from the user or a tool',
    )
  }
  judgeTools(list.body.tools, report)
}

function judgeMessage(message: Json, path: string, pairs: Pairing, report: Reports) {
  const role = isFields(message) ? message.role : undefined
  if (role !== 'tool') pairs.close()
  if (!isFields(message)) return report('message.shape', path, 'a message must be an object')
  if (typeof role !== 'string' || !roles.has(role)) return report('message.role', `${path}.role`, 'unknown role')
  if (role === 'function' || !isOptional(message.name)) judgeName(message, path, report)
  const calls = !isOptional(message.tool_calls)
  if (calls) judgeCalls(message.tool_calls, role, path, pairs, report)
  if (role === 'assistant' && isFields(message.function_call)) {
    judgeFunction(message.function_call, `${path}.function_call`, report)
  }
  const silent = role === 'assistant' && (calls || isFields(message.function_call) || isFields(message.audio))
  if (!(silent && isOptional(message.content))) {
    content(message.content, `${path}.content`, report, (part, type, at) => judgePart(part, type, role, at, report))
  }
  if (role !== 'tool') return
  if (isId(message.tool_call_id)) pairs.result(message.tool_call_id, path)
  else report('tool.id', `${path}.tool_call_id`, 'tool_call_id must be a string of 1 to 40 characters')
}

function judgeName(message: Fields, path: string, report: Reports) {
  if (isMatch(message.name, participant)) return
  report('message.name', `${path}.name`, `the name must match ${participant.source}`)
}

function judgeCalls(calls: Json | undefined, role: string, path: string, pairs: Pairing, report: Reports) {
  const at = `${path}.tool_calls`
  if (role !== 'assistant') return report('tool.calls', at, 'only assistant messages call tools')
  if (!isList(calls) || calls.length === 0)
    return report('tool.calls', at, 'tool_calls must be a list with a call in it')
  for (const [i, call] of calls.entries()) judgeCall(call, `${at}[${i}]`, pairs, report)
}

function judgeCall(call: Json, path: string, pairs: Pairing, report: Reports) {
  if (!isFields(call)) return report('tool.calls', path, 'a call must be an object')
  if (isId(call.id)) pairs.call(call.id, path)
  else report('tool.id', `${path}.id`, 'the id must be a string of 1 to 40 characters')
  if (call.type === 'function' && isFields(call.function)) judgeFunction(call.function, `${path}.function`, report)
  else if (call.type === 'custom' && isFields(call.custom)) judgeCustom(call.custom, `${path}.custom`, report)
  else report('tool.calls', path, "a call must be of type 'function' or 'custom' and carry that field")
}

function judgeFunction(call: Fields, path: string, report: Reports) {
  if (!isMatch(call.name, functionName))
    report('tool.name', `${path}.name`, `the name must match ${functionName.source}`)
  if (!isJsonText(call.arguments))
    report('tool.arguments', `${path}.arguments`, 'arguments must be a string of valid JSON')
}

function judgeCustom(call: Fields, path: string, report: Reports) {
  if (!isMatch(call.name, functionName))
    report('tool.name', `${path}.name`, `the name must match ${functionName.source}`)
  if (typeof call.input !== 'string') report('tool.arguments', `${path}.input`, 'input must be a string')
}

function judgePart(part: Fields, type: string, role: string, path: string, report: Reports) {
  if (type === 'text') return text(part.text, `${path}.text`, report)
  if (type === 'refusal' && role === 'assistant') return text(part.refusal, `${path}.refusal`, report)
  const loads = role === 'user' ? sources.get(type) : undefined
  if (!loads) return report('part.type', path, `a ${role} message takes no such part`)
  if (!loads(part)) report('part.source', path, 'the part has nothing to load')
}

const sources = new Map<string, (part: Fields) => boolean>([
  ['image_url', ({ image_url: image }) => isFields(image) && isUrl(image.url)],
  [
    'input_audio',
    ({ input_audio: audio }) => isFields(audio) && isFilled(audio.data) && isMatch(audio.format, /^(?:wav|mp3)$/),
  ],
  ['file', ({ file }) => isFields(file) && (isFilled(file.file_data) || isFilled(file.file_id))],
])

function judgeTools(tools: Json | undefined, report: Reports) {
  if (isList(tools) && tools.length === 0) report('tools.shape', 'tools', 'tools must be left out or have a tool in it')
  toolNames(tools, 'tools', functionName, definedName, report)
}

const definedName = (tool: Fields): Json | undefined => {
  const definition = tool.type === 'custom' ? tool.custom : tool.function
  return isFields(definition) ? (definition.name ?? null) : null
}

const isId = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 40
