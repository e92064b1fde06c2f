import type { AnthropicReport } from './anthropic.js'
import type { Fields, Json } from './json.js'
import type { Pairing } from './pairing.js'
import { content, isFields, isFilled, isList, isMatch, isOptional, text } from './shape.js'

interface Block {
  readonly block: Fields
  readonly type: string
  readonly path: string
  readonly role: 'user' | 'assistant'
  readonly pairs: Pairing
  readonly report: AnthropicReport
}

export const toolName = /^[a-zA-Z0-9_-]{1,128}$/
const toolId = /^[a-zA-Z0-9_-]{1,64}$/
const imageType = /^image\/(?:jpeg|png|gif|webp)$/
const userBlocks = new Set(['image', 'document', 'search_result', 'container_upload', 'tool_result'])
const resultBlocks = new Set(['image', 'document', 'search_result', 'tool_reference'])
const assistantBlocks =
  /^(?:thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|\w+_tool_result|compaction)$/

export function judgeBlock(at: Block) {
  const { block, type, path, role, report } = at
  if (type === 'text') return text(block.text, `${path}.text`, report)
  const known = role === 'user' ? userBlocks.has(type) : assistantBlocks.test(type)
  if (!known) return report('part.type', path, `a ${role} message takes no such block`)
  if (type === 'tool_use') judgeUse(at)
  else if (type === 'tool_result') judgeResult(at)
  else if (type === 'thinking' || type === 'redacted_thinking') judgeThinking(at)
  else judgeSource(block, type, path, report)
}

function judgeUse({ block, path, pairs, report }: Block) {
  if (isMatch(block.id, toolId)) pairs.call(block.id, path)
  else report('tool.id', `${path}.id`, `the id must match ${toolId.source}`)
  if (!isMatch(block.name, toolName)) report('tool.name', `${path}.name`, `the name must match ${toolName.source}`)
  if (!isFields(block.input)) report('tool.input', `${path}.input`, 'the input must be an object')
}

function judgeResult({ block, path, pairs, report }: Block) {
  if (isMatch(block.tool_use_id, toolId)) pairs.result(block.tool_use_id, path)
  else report('tool.id', `${path}.tool_use_id`, `tool_use_id must match ${toolId.source}`)
  if (!isOptional(block.is_error) && typeof block.is_error !== 'boolean') {
    report('tool.result.error', `${path}.is_error`, 'is_error must be a boolean')
  }
  if (isOptional(block.content)) return
  content(block.content, `${path}.content`, report, (part, type, at) => {
    if (type === 'text') text(part.text, `${at}.text`, report)
    else if (resultBlocks.has(type)) judgeSource(part, type, at, report)
    else report('part.type', at, 'a tool result takes no such block')
  })
}

function judgeThinking({ block, type, path, report }: Block) {
  const whole =
    type === 'thinking' ? typeof block.thinking === 'string' && isFilled(block.signature) : isFilled(block.data)
  if (!whole) report('thinking.shape', path, 'the block must have its text and signature, or its data')
}

function judgeSource(block: Fields, type: string, path: string, report: AnthropicReport) {
  if (type !== 'image' && type !== 'document') return
  const { source } = block
  const legal = isFields(source) && (type === 'image' ? isImage(source) : isDocument(source))
  if (!legal) report('part.source', `${path}.source`, `the ${type} has no source that can be loaded`)
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
