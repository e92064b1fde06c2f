import type { Fields, Json } from './json.js'
import { type Pairing, pairing } from './pairing.js'
import { content, isFields, isFilled, isList, isOptional, listOf, text } from './shape.js'
import { type NameOf, quote, type Report, type Rule } from './table/rule.js'

export const aiSdkRules = [
  { rule: 'request.shape', says: 'The request is { system?, messages } or the list of messages.' },
  { rule: 'system.shape', says: 'system is a string, and so is the content of a system message.' },
  { rule: 'messages.empty', says: '"messages must not be empty".' },
  { rule: 'message.shape', says: 'Every message is an object.' },
  { rule: 'message.role', says: 'The role is system, user, assistant or tool.' },
  { rule: 'message.last', says: 'The last message is from the user or a tool: the request asks for an answer.' },
  { rule: 'content.empty', says: 'Content is required; part lists are not empty.' },
  {
    rule: 'content.shape',
    says: 'Content is a string (not of a tool) or a list of parts that have a type; text is a string.',
  },
  { rule: 'text.blank', says: 'Text is not blank; reasoning may be when providerOptions carry its sealed form.' },
  {
    rule: 'part.type',
    says:
      'User parts are text, image or file; assistant parts text, file, reasoning, reasoning-file, ' +
      'custom, tool-call, tool-result or tool-approval-request; tool parts tool-result or ' +
      'tool-approval-response.',
  },
  { rule: 'part.source', says: 'An image has image; a file has data and mediaType.' },
  { rule: 'tool.id', says: 'toolCallId is a string that is not empty.' },
  { rule: 'tool.id.repeated', says: 'A toolCallId is used by one call.' },
  { rule: 'tool.name', says: 'toolName is a string that is not empty.' },
  { rule: 'tool.input', says: 'A tool call has an input.' },
  {
    rule: 'tool.output',
    says: 'output is of type text, json, error-text, error-json, content or execution-denied, with a value that fits.',
  },
  {
    rule: 'tool.result.missing',
    says: '"Tool results are missing for tool calls": tool messages right after the call answer it.',
  },
  {
    rule: 'tool.result.orphan',
    says: 'A result answers a call of the assistant message right before, or of its own when the provider ran it.',
  },
  { rule: 'tool.result.repeated', says: 'A call has one result.' },
  { rule: 'tool.result.name', says: 'A result names the tool that was called.' },
] as const satisfies readonly Rule[]

export type AiSdkReport = Report<NameOf<typeof aiSdkRules>>

interface Turn {
  readonly pairs: Pairing
  readonly names: Map<string, string>
  /** The call that each approval was asked for. */
  readonly approvals: Map<string, string>
  /** Calls that the provider ran itself, and whether their result was seen. */
  readonly ran: Map<string, boolean>
  readonly report: AiSdkReport
}

const partTypes: ReadonlyMap<Json | undefined, ReadonlySet<string>> = new Map([
  ['user', new Set(['text', 'image', 'file'])],
  [
    'assistant',
    new Set([
      'text',
      'file',
      'reasoning',
      'reasoning-file',
      'custom',
      'tool-call',
      'tool-result',
      'tool-approval-request',
    ]),
  ],
  ['tool', new Set(['tool-result', 'tool-approval-response'])],
])

export function judgeAiSdk(request: Json, report: AiSdkReport) {
  if (isFields(request)) judgeSystem(request.system, 'system', report)
  const list = listOf(request, 'messages', report)
  if (!list) return
  const turn: Turn = { pairs: pairing(report), names: new Map(), approvals: new Map(), ran: new Map(), report }
  for (const [i, message] of list.values.entries()) judgeMessage(message, `${list.path}[${i}]`, turn)
  turn.pairs.close()
  const last = list.values.at(-1)
  if (isFields(last) && last.role !== 'user' && last.role !== 'tool') {
    report(
      'message.last',
      `${list.path}[${list.values.length - 1}]`,
      'the last message must be from the user or a tool',
    )
  }
}

function judgeSystem(system: Json | undefined, path: string, report: AiSdkReport) {
  if (typeof system === 'string') text(system, path, report)
  else if (!isOptional(system)) report('system.shape', path, 'system must be a string')
}

function judgeMessage(message: Json, path: string, turn: Turn) {
  const { report, pairs } = turn
  const role = isFields(message) ? message.role : undefined
  if (role !== 'tool') pairs.close()
  if (!isFields(message)) return report('message.shape', path, 'a message must be an object')
  const at = `${path}.content`
  if (role === 'system' && !isOptional(message.content)) return judgeSystem(message.content, at, report)
  const types = partTypes.get(role)
  if (!types && role !== 'system') return report('message.role', `${path}.role`, 'unknown role')
  if (role === 'tool' && typeof message.content === 'string') {
    return report('content.shape', at, 'the content of a tool message must be a list')
  }
  content(message.content, at, report, (part, type, where) => {
    if (types?.has(type)) judgePart(part, type, role === 'tool', where, turn)
    else report('part.type', where, `a ${role} message takes no such part`)
  })
}

function judgePart(part: Fields, type: string, byTool: boolean, path: string, turn: Turn) {
  const { report, approvals, pairs } = turn
  if (type === 'text') return text(part.text, `${path}.text`, report)
  if (type === 'reasoning') return judgeReasoning(part, path, report)
  if (type === 'tool-call') return judgeCall(part, path, turn)
  if (type === 'tool-result') return judgeResult(part, byTool, path, turn)
  if (type === 'tool-approval-request') return approve(part, turn)
  if (type === 'tool-approval-response') return pairs.excuse(approvals.get(String(part.approvalId)) ?? '')
  if (!hasSource(part, type)) report('part.source', path, 'the part has nothing to load')
}

function approve(part: Fields, { approvals }: Turn) {
  if (isFilled(part.approvalId) && isFilled(part.toolCallId)) approvals.set(part.approvalId, part.toolCallId)
}

function judgeReasoning(part: Fields, path: string, report: AiSdkReport) {
  if (typeof part.text === 'string' && isFields(part.providerOptions)) return
  text(part.text, `${path}.text`, report)
}

function judgeCall(part: Fields, path: string, turn: Turn) {
  const { report, names, pairs, ran } = turn
  judgeName(part, path, report)
  if (part.input === undefined) report('tool.input', `${path}.input`, 'the call must have an input')
  if (!isFilled(part.toolCallId)) return report('tool.id', `${path}.toolCallId`, 'toolCallId must not be empty')
  pairs.call(part.toolCallId, path)
  if (isFilled(part.toolName)) names.set(part.toolCallId, part.toolName)
  if (part.providerExecuted !== true) return
  pairs.excuse(part.toolCallId)
  ran.set(part.toolCallId, false)
}

function judgeResult(part: Fields, byTool: boolean, path: string, turn: Turn) {
  const { report, names, pairs, ran } = turn
  judgeName(part, path, report)
  aiSdkOutput(part.output, `${path}.output`, report)
  if (!isFilled(part.toolCallId)) return report('tool.id', `${path}.toolCallId`, 'toolCallId must not be empty')
  const id = part.toolCallId
  if (!ran.has(id) && byTool) pairs.result(id, path)
  else if (!ran.has(id)) report('tool.result.orphan', path, 'the result of a call that the provider did not run')
  else if (ran.get(id)) report('tool.result.repeated', path, `the call ${quote(id)} has a result already`)
  else ran.set(id, true)
  const called = names.get(id)
  if (called === undefined || called === part.toolName || !isFilled(part.toolName)) return
  report('tool.result.name', `${path}.toolName`, `the call named ${quote(called)}`)
}

function judgeName(part: Fields, path: string, report: AiSdkReport) {
  if (!isFilled(part.toolName)) report('tool.name', `${path}.toolName`, 'toolName must not be empty')
}

function hasSource(part: Fields, type: string): boolean {
  if (type === 'custom') return true
  if (type === 'image') return isLoadable(part.image)
  return isLoadable(part.data) && isFilled(part.mediaType)
}

const isLoadable = (value: Json | undefined): boolean => isFilled(value) || isFields(value)

type Reports = Report<'tool.output' | 'content.shape' | 'content.empty' | 'text.blank'>

/** The output of an AI SDK tool result. */
function aiSdkOutput(output: Json | undefined, path: string, report: Reports) {
  if (!isFields(output)) return report('tool.output', path, 'output must be an object with a type')
  const { type, value } = output
  if (type === 'text' || type === 'error-text') return text(value, `${path}.value`, report)
  if (type === 'json' || type === 'error-json') {
    if (value === undefined) report('tool.output', `${path}.value`, 'a json output must have a value')
    return
  }
  if (type === 'content' && isList(value))
    return content(value, `${path}.value`, report, (part, kind, at) => {
      if (kind === 'text') text(part.text, `${at}.text`, report)
      else if (!isMedia(part, kind)) report('tool.output', at, 'the part of the output has nothing to load')
    })
  const denied = type === 'execution-denied' && (isOptional(output.reason) || isFilled(output.reason))
  if (!denied) report('tool.output', path, 'unknown type of output, or a value that does not fit it')
}

function isMedia(part: Fields, kind: string): boolean {
  if (kind === 'custom') return true
  if (kind === 'media' || kind === 'file-data' || kind === 'image-data') {
    return isFilled(part.data) && isFilled(part.mediaType)
  }
  if (kind === 'file') return part.data !== undefined && isFilled(part.mediaType)
  if (kind === 'file-url' || kind === 'image-url') return isFilled(part.url)
  if (kind === 'file-id' || kind === 'image-file-id') return isFilled(part.fileId) || isFields(part.fileId)
  return (kind === 'file-reference' || kind === 'image-file-reference') && isFields(part.providerReference)
}
