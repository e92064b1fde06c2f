import type { ProfileName } from '../message/target.js'
import { judgeCompatible } from './compatible.js'
import { imageOf, judgeImage } from './images.js'
import type { Fields, Json } from './json.js'
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
import type { compatibleChatRules } from './table/compatible.js'
import type { openaiChatRules } from './table/openai.js'
import type { NameOf, Report } from './table/rule.js'

type Reports = Report<NameOf<typeof openaiChatRules | typeof compatibleChatRules>>

const mostMessages = 2_048
const mostCalls = 128
const mostTools = 128
const mostChars = 10_485_760

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
const functionName = /^[a-zA-Z0-9_-]{1,64}$/
const participant = /^[^\s<|\\/>]{1,64}$/

export function judgeOpenaiChat(request: Json, report: Reports, scope: Scope) {
  const list = listOf(request, 'messages', report)
  if (!list) return
  const pairs = pairing(report)
  for (const [i, message] of list.values.entries()) judgeMessage(message, `${list.path}[${i}]`, pairs, scope, report)
  pairs.close()
  if (list.values.length > mostMessages) report('messages.many', list.path, `there are ${list.values.length} messages`)
  judgeTools(list.body.tools, report)
  judgeSettings(list.body, list.values, scope, report)
  judgeCompatible(list, scope, report)
  const last = list.values.at(-1)
  // OpenAI itself answers to instructions alone
  const enders = ['user', 'tool', 'function', ...(scope.profiles.length === 0 ? ['system', 'developer'] : [])]
  if (isFields(last) && !enders.includes(last.role as string)) {
    const path = `${list.path}[${list.values.length - 1}]`
    report('message.last', path, 'the last message must be from the user or a tool')
  }
}

/** How the answer is asked for. */
function judgeSettings(body: Fields, messages: readonly Json[], { model, profiles }: Scope, report: Reports) {
  if (isList(body.tools) && body.tools.length > mostTools)
    report('tools.many', 'tools', `there are ${body.tools.length} tools`)
  const effort = body.reasoning_effort
  if (isFilled(effort) && effort !== 'none' && isList(body.tools) && body.tools.length > 0 && isRecent(model))
    report('effort.tools', 'reasoning_effort', 'functions and an effort do not go together on Chat Completions')
  const format = isFields(body.response_format) ? body.response_format.type : undefined
  const asks = profiles.every((name) => wordy.has(name))
  if (asks && format === 'json_object' && !/json/i.test(JSON.stringify(messages)))
    report('json.word', 'response_format', 'no message says the word JSON')
}

/** Servers that ask for the word as OpenAI does. */
const wordy = new Set<ProfileName>(['deepseek', 'qwen', 'dashscope', 'groq', 'copilot'])

const isRecent = (model = ''): boolean => Number(/gpt-(\d+\.\d+)/i.exec(model)?.[1] ?? 0) >= 5.4

function judgeMessage(message: Json, path: string, pairs: Pairing, scope: Scope, report: Reports) {
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
    content(message.content, `${path}.content`, report, (part, type, at) =>
      judgePart(part, type, role, at, scope, report),
    )
    if (typeof message.content === 'string' && message.content.length > mostChars)
      report('request.chars', `${path}.content`, `the text has ${message.content.length} characters`)
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
  if (calls.length > mostCalls) report('tool.calls.many', at, `there are ${calls.length} calls`)
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

function judgePart(part: Fields, type: string, role: string, path: string, scope: Scope, report: Reports) {
  if (type === 'text') return text(part.text, `${path}.text`, report)
  if (type === 'refusal' && role === 'assistant') return text(part.refusal, `${path}.refusal`, report)
  if (isTakenBy(scope.profiles, part, type, role)) return
  const loads = role === 'user' ? sources.get(type) : undefined
  if (role === 'tool' && type === 'image_url') {
    const rule = scope.profiles.includes('lmstudio') ? 'lmstudio.image' : 'tool.result.image'
    return report(rule, path, 'a tool message holds text only')
  }
  if (!loads) return report('part.type', path, `a ${role} message takes no such part`)
  if (!loads(part)) return report('part.source', path, 'the part has nothing to load')
  const url = isFields(part.image_url) ? part.image_url.url : undefined
  judgeImage(imageOf(url, path), scope.traits.images, (_, at, message) => report('image.type', at, message))
}

/** Parts of other servers, beside those of OpenAI. */
function isTakenBy(profiles: Scope['profiles'], part: Fields, type: string, role: string): boolean {
  const on = (...names: readonly ProfileName[]): boolean => names.some((name) => profiles.includes(name))
  if (type === 'thinking') return role === 'assistant' && on('mistral') && isList(part.thinking)
  if (role !== 'user') return false
  if (type === 'image_url' || type === 'document_url') return on('mistral') && isUrl(part[type])
  if (type === 'file') return on('deepseek', 'mistral') && isFilled(part.file_id)
  const video = type === 'video_url' && isFields(part.video_url) && isFilled(part.video_url.url)
  return video && on('moonshot', 'qwen', 'dashscope', 'vllm', 'openrouter')
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
