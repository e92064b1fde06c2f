import { signsCalls, skipSignature } from '../profile/gemini.js'
import { type Calls, matching } from './google-calls.js'
import { type Image, judgeAlbum, judgeImage } from './images.js'
import type { Fields, Json } from './json.js'
import type { Scope } from './scope.js'
import { isFields, isFilled, isList, isMatch, isOptional, type List, listOf, text, toolNames } from './shape.js'
import type { googleRules } from './table/google.js'
import type { NameOf, Report } from './table/rule.js'

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

export function judgeGoogle(request: Json, report: Reports, scope: Scope) {
  if (isFields(request)) judgeSystem(request.systemInstruction, report)
  const list = listOf(request, 'contents', report)
  if (!list) return
  const calls = matching(report)
  const images: Image[] = []
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
      judgeParts(entry.parts, role, `${path}.parts`, { calls, images, scope, report })
    }
    if (role === 'user') calls.close()
    before = role
  })
  calls.close()
  if (before === 'model') {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last content must be from the user')
  }
  judgeTools(list.body.tools, report)
  judgeAlbum(images, scope.traits.images, list.path, narrow(report))
  judgeSignatures(list, scope, report)
}

/** Sides do not count here. */
const narrow =
  (report: Reports): Parameters<typeof judgeAlbum>[3] =>
  (rule, path, message) => {
    if (rule === 'image.type' || rule === 'image.many' || rule === 'image.bytes') report(rule, path, message)
  }

interface At {
  readonly calls: Calls
  readonly images: Image[]
  readonly scope: Scope
  readonly report: Reports
}

const partsOf = (entry: Json | undefined): readonly Json[] =>
  isFields(entry) && isList(entry.parts) ? entry.parts : []

const signatureOf = (part: Fields): Json | undefined => part.thoughtSignature ?? part.thought_signature

/** The calls of the turn that goes on carry their signatures. */
function judgeSignatures(list: List, { model, issued }: Scope, report: Reports) {
  const parts = list.values.map((entry) => partsOf(entry).filter(isFields))
  const signed = parts.some((one) => one.some((part) => isFilled(signatureOf(part))))
  const told =
    list.body.modelVersion ??
    list.values.map((entry) => (isFields(entry) ? entry.modelVersion : undefined)).find(Boolean)
  const rule = model !== undefined ? 'thought.missing' : 'thought.unnamed'
  const wanted = model !== undefined ? signsCalls(model) : signed || (typeof told === 'string' && signsCalls(told))
  const start = list.values.findLastIndex(
    (entry, i) =>
      isFields(entry) && entry.role === 'user' && parts[i]?.some((part) => part.functionResponse === undefined),
  )
  parts.forEach((one, i) => {
    const path = `${list.path}[${i}].parts`
    const first = one.findIndex((part) => part.functionCall !== undefined)
    if (wanted && i > start && first !== -1 && !isFilled(signatureOf(one[first] as Fields)))
      report(rule, `${path}[${first}]`, 'the first call of the content needs its thoughtSignature')
    one.forEach((part, j) => {
      const proof = signatureOf(part)
      if (isFilled(proof) && proof !== skipSignature && issued && !issued(proof))
        report('thought.foreign', `${path}[${j}]`, 'the signature was never issued here')
    })
  })
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

function judgeParts(parts: Json | undefined, role: string, path: string, within: At) {
  const { report } = within
  if (isOptional(parts)) return report('content.empty', path, 'parts are required')
  if (!isList(parts)) return report('content.shape', path, 'parts must be a list')
  if (parts.length === 0) report('content.empty', path, 'the list of parts must not be empty')
  parts.forEach((part, i) => {
    const at = `${path}[${i}]`
    if (isFields(part)) judgePart(part, role, at, within)
    else report('content.shape', at, 'a part must be an object')
  })
}

function judgePart(part: Fields, role: string, path: string, { calls, images, scope, report }: At) {
  const signature = part.thoughtSignature
  if (!isOptional(signature) && !isFilled(signature)) {
    report('thought.signature', `${path}.thoughtSignature`, 'the signature must be a string that is not empty')
  }
  const given = kinds.filter((kind) => part[kind] !== undefined)
  const wrongRole = (part.functionCall && role !== 'model') || (part.functionResponse && role !== 'user')
  if (given.length !== 1 || wrongRole) return report('part.type', path, `a ${role} content takes no such part`)
  if (role === 'model' && part.text === '' && isOptional(signature))
    report('model.blank', `${path}.text`, 'the text is empty')
  else if (given[0] === 'text' && (typeof part.text !== 'string' || !isFilled(signature)))
    text(part.text, `${path}.text`, report)
  if (given[0] === 'inlineData' && !isInline(part.inlineData)) {
    report('part.source', `${path}.inlineData`, 'inlineData must have mimeType and data')
  } else if (isFields(part.inlineData) && isMatch(part.inlineData.mimeType, /^image\//i)) {
    const image = { path, mediaType: part.inlineData.mimeType.toLowerCase(), base64: String(part.inlineData.data) }
    images.push(image)
    judgeImage(image, scope.traits.images, narrow(report))
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
  const declared = tools.reduce<number>(
    (sum, tool) => sum + (isFields(tool) && isList(tool.functionDeclarations) ? tool.functionDeclarations.length : 0),
    0,
  )
  if (declared > mostFunctions) report('tools.many', 'tools', `there are ${declared} functions`)
  if (deepest(tools, 0) > deepSchema) report('tools.schema', 'tools', 'a schema nests deep')
  for (const [i, tool] of tools.entries()) {
    const path = `tools[${i}].functionDeclarations`
    if (isFields(tool)) toolNames(tool.functionDeclarations, path, functionName, ({ name }) => name ?? null, report)
    else report('tools.shape', `tools[${i}]`, 'a tool must be an object')
  }
}

const isInline = (value: Json | undefined): boolean =>
  isFields(value) && isMatch(value.mimeType, /^[\w.+-]+\/[\w.+-]+/) && isFilled(value.data)

const mostFunctions = 512
const deepSchema = 32

function deepest(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null) return depth
  return Object.values(value).reduce<number>((most, inner: Json) => Math.max(most, deepest(inner, depth + 1)), depth)
}
