import type { AnthropicReport } from './anthropic.js'
import type { ServerTools } from './anthropic-server.js'
import { type Image, judgeImage } from './images.js'
import type { Fields, Json } from './json.js'
import type { Pairing } from './pairing.js'
import type { Scope } from './scope.js'
import { content, isFields, isFilled, isList, isMatch, isOptional, text } from './shape.js'

interface Block {
  readonly block: Fields
  readonly type: string
  readonly path: string
  readonly role: 'user' | 'assistant'
  readonly pairs: Pairing
  readonly server: ServerTools
  /** Names of the tools of the request. */
  readonly tools: ReadonlySet<Json | undefined> | undefined
  /** Collects what is seen. */
  readonly images: Image[]
  readonly scope: Scope
  readonly report: AnthropicReport
}

export const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/
const toolId = /^[a-zA-Z0-9_-]{1,64}$/
const imageType = /^image\/(?:jpeg|png|gif|webp)$/
const userBlocks = new Set(['image', 'document', 'search_result', 'container_upload', 'tool_result'])
const resultBlocks = new Set(['image', 'document', 'search_result', 'tool_reference'])
const assistantBlocks =
  /^(?:thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|\w+_tool_result|compaction)$/

/** The keys of each type; others are let pass. */
const keys: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'citations', 'context', 'title'],
  search_result: ['content', 'source', 'title', 'citations'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input', 'caller'],
  server_tool_use: ['id', 'name', 'input', 'caller'],
  mcp_tool_use: ['id', 'name', 'input', 'server_name'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  mcp_tool_result: ['tool_use_id', 'content', 'is_error'],
}

function judgeKeys(block: Fields, type: string, path: string, report: AnthropicReport) {
  const known = keys[type]
  if (!known) return
  for (const key of Object.keys(block))
    if (key !== 'type' && key !== 'cache_control' && !known.includes(key))
      report('block.extra', `${path}.${key}`, `a ${type} block has no such key`)
}

export function judgeBlock(at: Block) {
  const { block, type, path, role, report } = at
  judgeKeys(block, type, path, report)
  if (type === 'text') return text(block.text, `${path}.text`, report)
  const known = role === 'user' ? userBlocks.has(type) : assistantBlocks.test(type)
  if (!known) return report('part.type', path, `a ${role} message takes no such block`)
  if (type === 'tool_use') judgeUse(at)
  else if (type === 'tool_result') judgeResult(at)
  else if (type === 'thinking' || type === 'redacted_thinking') judgeThinking(at)
  else if (!at.server.take(block, type, path)) judgeSource(block, type, path, at)
}

function judgeUse({ block, path, pairs, report }: Block) {
  if (isMatch(block.id, toolId)) pairs.call(block.id, path)
  else report('tool.id', `${path}.id`, `the id must match ${toolId.source}`)
  if (!isMatch(block.name, toolNamePattern))
    report('tool.name', `${path}.name`, `the name must match ${toolNamePattern.source}`)
  if (!isFields(block.input)) report('tool.input', `${path}.input`, 'the input must be an object')
}

function judgeResult(at: Block) {
  const { block, path, pairs, report } = at
  if (isMatch(block.tool_use_id, toolId)) pairs.result(block.tool_use_id, path)
  else report('tool.id', `${path}.tool_use_id`, `tool_use_id must match ${toolId.source}`)
  if (!isOptional(block.is_error) && typeof block.is_error !== 'boolean') {
    report('tool.result.error', `${path}.is_error`, 'is_error must be a boolean')
  }
  if (isOptional(block.content)) return
  content(block.content, `${path}.content`, report, (part, type, where) => {
    if (type === 'text') text(part.text, `${where}.text`, report)
    else if (!resultBlocks.has(type)) report('part.type', where, 'a tool result takes no such block')
    else if (block.is_error === true) report('tool.result.image', where, 'a failed result holds text only')
    else if (type === 'tool_reference') judgeReference(part, where, at)
    else judgeSource(part, type, where, at)
  })
}

function judgeThinking({ block, type, path, report }: Block) {
  const whole =
    type === 'thinking' ? typeof block.thinking === 'string' && isFilled(block.signature) : isFilled(block.data)
  if (!whole) report('thinking.shape', path, 'the block must have its text and signature, or its data')
}

function judgeReference({ tool_name: name }: Fields, path: string, { tools, report }: Block) {
  if (!tools?.has(name)) report('tool.reference', path, `the request has no tool ${JSON.stringify(name ?? null)}`)
}

function judgeSource(block: Fields, type: string, path: string, { images, scope, report }: Block) {
  if (type !== 'image' && type !== 'document') return
  const { source } = block
  const legal = isFields(source) && (type === 'image' ? isImage(source) : isDocument(source))
  if (!legal) return report('part.source', `${path}.source`, `the ${type} has no source that can be loaded`)
  const inline = source.type === 'base64'
  const image: Image = {
    path,
    mediaType: inline ? String(source.media_type) : `${type}/*`,
    base64: inline ? String(source.data) : undefined,
  }
  images.push(image)
  if (type === 'image') judgeImage(image, scope.traits.images, report)
}

const isImage = (source: Fields): boolean =>
  source.type === 'base64' ? isMatch(source.media_type, imageType) && isFilled(source.data) : isRemote(source)

function isDocument(source: Fields): boolean {
  if (source.type === 'base64') return source.media_type === 'application/pdf' && isFilled(source.data)
  if (source.type === 'text') return source.media_type === 'text/plain' && isFilled(source.data)
  if (source.type === 'content') return isFilled(source.content) || hasEntries(source.content)
  return isRemote(source)
}

const isRemote = (source: Fields): boolean =>
  source.type === 'url' ? isMatch(source.url, /^https?:\/\/\S/) : source.type === 'file' && isFilled(source.file_id)

const hasEntries = (value: Json | undefined): boolean => isList(value) && value.length > 0

/** The root of a schema is an object; branches stand below it. */
export function judgeSchemas(tools: Json | undefined, report: AnthropicReport) {
  if (!isList(tools)) return
  tools.forEach((tool, i) => {
    const schema = isFields(tool) ? tool.input_schema : undefined
    if (!isFields(schema)) return
    const branch = ['oneOf', 'allOf', 'anyOf'].find((key) => schema[key] !== undefined)
    const path = `tools[${i}].input_schema`
    if (branch) report('tools.schema', `${path}.${branch}`, `the root of a schema has no ${branch}`)
    else if (schema.type === undefined) report('tools.schema', `${path}.type`, 'the root of a schema has a type')
  })
}
