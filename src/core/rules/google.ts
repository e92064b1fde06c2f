import { type Calls, matching } from './google-calls.js'
import type { Fields, Json } from './json.js'
import type { NameOf, Report, Rule } from './rule.js'
import { isFields, isFilled, isList, isMatch, isOptional, listOf, text, toolNames } from './shape.js'

export const googleRules = [
  { rule: 'request.shape', says: 'The request is { systemInstruction?, contents } or the list of contents.' },
  { rule: 'system.shape', says: 'systemInstruction is a content with text parts.' },
  { rule: 'messages.empty', says: '"contents is not specified": there is at least one content.' },
  { rule: 'message.shape', says: 'Every content is an object.' },
  { rule: 'message.role', says: '"Please use a valid role: user, model."' },
  { rule: 'message.first', says: 'The first content is from the user.' },
  {
    rule: 'message.order',
    says:
      '"Please ensure that multiturn requests alternate between user and model"; a call turn follows a ' +
      'user or a response turn.',
  },
  { rule: 'message.last', says: '"Please ensure that multiturn requests ends with a user role".' },
  { rule: 'content.empty', says: '"contents.parts must not be empty".' },
  { rule: 'content.shape', says: 'parts is a list of objects; text is a string.' },
  { rule: 'text.blank', says: 'Text is not blank, except beside a thoughtSignature.' },
  {
    rule: 'part.type',
    says:
      '"required oneof field \'data\' must have one initialized field": a part has exactly one of its ' +
      'kinds, functionCall from the model, functionResponse from the user.',
  },
  { rule: 'part.source', says: 'inlineData has mimeType and data; fileData has fileUri.' },
  { rule: 'thought.signature', says: 'A thoughtSignature is a string that is not empty.' },
  { rule: 'tool.id', says: 'The id of a call or response is a string that is not empty, where given.' },
  { rule: 'tool.id.repeated', says: 'The id of a call is used once in the whole request.' },
  {
    rule: 'tool.name',
    says:
      'A function name starts with a letter or underscore and has at most 64 characters of a-z, A-Z, ' +
      '0-9, _, ., : and - (newer API versions take 128).',
  },
  { rule: 'tool.input', says: 'functionCall.args is an object.' },
  { rule: 'tool.output', says: 'functionResponse.response is an object.' },
  {
    rule: 'tool.result.missing',
    says:
      '"Please ensure that the number of function response parts is equal to the number of function ' +
      'call parts of the function call turn."',
  },
  {
    rule: 'tool.result.orphan',
    says:
      '"Please ensure that function response turn comes immediately after a function call turn": a ' +
      'response has the name and id of a call there.',
  },
  {
    rule: 'tools.shape',
    says: 'tools is a list of objects; function declarations have a name of their own of the form above.',
  },
] as const satisfies readonly Rule[]

type Reports = Report<NameOf<typeof googleRules>>

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/
const kinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

export function judgeGoogle(request: Json, report: Reports) {
  if (isFields(request)) judgeSystem(request.systemInstruction, report)
  const list = listOf(request, 'contents', report)
  if (!list) return
  const calls = matching(report)
  let before: Json | undefined
  list.values.forEach((entry, i) => {
    const path = `${list.path}[${i}]`
    const role = isFields(entry) ? entry.role : undefined
    if (role !== 'user') calls.close()
    if (!isFields(entry)) report('message.shape', path, 'a content must be an object')
    else if (role !== 'user' && role !== 'model')
      report('message.role', `${path}.role`, 'the role must be user or model')
    else {
      if (i === 0 && role !== 'user') report('message.first', path, 'the first content must be from the user')
      if (role === before) report('message.order', path, `two contents of the ${role} in a row`)
      judgeParts(entry.parts, role, `${path}.parts`, calls, report)
    }
    if (role === 'user') calls.close()
    before = role
  })
  calls.close()
  if (before === 'model') {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last content must be from the user')
  }
  judgeTools(list.body.tools, report)
}

function judgeSystem(system: Json | undefined, report: Reports) {
  if (isOptional(system)) return
  if (!isFields(system) || !isList(system.parts) || system.parts.length === 0) {
    return report('system.shape', 'systemInstruction', 'systemInstruction must have parts')
  }
  system.parts.forEach((part, i) => {
    const path = `systemInstruction.parts[${i}]`
    if (isFields(part) && part.text !== undefined) text(part.text, `${path}.text`, report)
    else report('system.shape', path, 'a part of systemInstruction must be text')
  })
}

function judgeParts(parts: Json | undefined, role: string, path: string, calls: Calls, report: Reports) {
  if (isOptional(parts)) return report('content.empty', path, 'parts are required')
  if (!isList(parts)) return report('content.shape', path, 'parts must be a list')
  if (parts.length === 0) report('content.empty', path, 'the list of parts must not be empty')
  parts.forEach((part, i) => {
    const at = `${path}[${i}]`
    if (isFields(part)) judgePart(part, role, at, calls, report)
    else report('content.shape', at, 'a part must be an object')
  })
}

function judgePart(part: Fields, role: string, path: string, calls: Calls, report: Reports) {
  const signature = part.thoughtSignature
  if (!isOptional(signature) && !isFilled(signature)) {
    report('thought.signature', `${path}.thoughtSignature`, 'the signature must be a string that is not empty')
  }
  const given = kinds.filter((kind) => part[kind] !== undefined)
  const wrongRole = (part.functionCall && role !== 'model') || (part.functionResponse && role !== 'user')
  if (given.length !== 1 || wrongRole) return report('part.type', path, `a ${role} content takes no such part`)
  if (given[0] === 'text' && (typeof part.text !== 'string' || !isFilled(signature)))
    text(part.text, `${path}.text`, report)
  if (given[0] === 'inlineData' && !isInline(part.inlineData)) {
    report('part.source', `${path}.inlineData`, 'inlineData must have mimeType and data')
  }
  if (given[0] === 'fileData' && !(isFields(part.fileData) && isFilled(part.fileData.fileUri))) {
    report('part.source', `${path}.fileData`, 'fileData must have fileUri')
  }
  if (given[0] === 'functionCall') judgeCall(part.functionCall, `${path}.functionCall`, calls, report)
  if (given[0] === 'functionResponse') judgeResponse(part.functionResponse, `${path}.functionResponse`, calls, report)
}

function judgeCall(call: Json | undefined, path: string, calls: Calls, report: Reports) {
  const named = nameOf(call, path, report)
  if (!named) return
  if (!isOptional(named.fields.args) && !isFields(named.fields.args))
    report('tool.input', `${path}.args`, 'args must be an object')
  calls.call(named.name, named.id, path)
}

function judgeResponse(response: Json | undefined, path: string, calls: Calls, report: Reports) {
  const named = nameOf(response, path, report)
  if (!named) return
  if (!isFields(named.fields.response)) report('tool.output', `${path}.response`, 'response must be an object')
  calls.response(named.name, named.id, path)
}

function nameOf(value: Json | undefined, path: string, report: Reports): Named | undefined {
  if (!isFields(value) || !isMatch(value.name, functionName)) {
    report('tool.name', `${path}.name`, `the name must match ${functionName.source}`)
    return undefined
  }
  const id = isFilled(value.id) ? value.id : undefined
  if (id === undefined && !isOptional(value.id))
    report('tool.id', `${path}.id`, 'the id must be a string that is not empty')
  return { fields: value, name: value.name, id }
}

interface Named {
  readonly fields: Fields
  readonly name: string
  readonly id: string | undefined
}

function judgeTools(tools: Json | undefined, report: Reports) {
  if (isOptional(tools)) return
  if (!isList(tools)) return report('tools.shape', 'tools', 'tools must be a list')
  for (const [i, tool] of tools.entries()) {
    const path = `tools[${i}].functionDeclarations`
    if (isFields(tool)) toolNames(tool.functionDeclarations, path, functionName, ({ name }) => name ?? null, report)
    else report('tools.shape', `tools[${i}]`, 'a tool must be an object')
  }
}

const isInline = (value: Json | undefined): boolean =>
  isFields(value) && isMatch(value.mimeType, /^[\w.+-]+\/[\w.+-]+/) && isFilled(value.data)
