import { judgeBlock, toolName } from './anthropic-block.js'
import type { Fields, Json } from './json.js'
import { pairing } from './pairing.js'
import type { NameOf, Report, Rule } from './rule.js'
import { content, isFields, isList, isOptional, listOf, text, toolNames } from './shape.js'

export const anthropicRules = [
  { rule: 'request.shape', says: 'The request is { system?, messages } or the list of messages.' },
  { rule: 'system.shape', says: 'system is a string or a list of text blocks.' },
  { rule: 'messages.empty', says: '"messages: at least one message is required".' },
  { rule: 'message.shape', says: 'Every message is an object.' },
  { rule: 'message.role', says: 'The role is user or assistant.' },
  { rule: 'message.first', says: '"messages: first message must use the "user" role".' },
  {
    rule: 'message.order',
    says:
      '"messages: roles must alternate between "user" and "assistant"". The API merges neighbours ' +
      'today; it is demanded here.',
  },
  {
    rule: 'message.last',
    says: 'The last message is from the user; newer models refuse to continue an assistant message.',
  },
  { rule: 'content.empty', says: '"all messages must have non-empty content".' },
  { rule: 'content.shape', says: 'Content is a string or a list of blocks that have a type; text is a string.' },
  { rule: 'text.blank', says: '"text content blocks must be non-empty", "must contain non-whitespace text".' },
  {
    rule: 'part.type',
    says:
      'User blocks are text, image, document, search_result, container_upload or tool_result; assistant ' +
      'blocks text, thinking, redacted_thinking, tool_use or those of server tools.',
  },
  {
    rule: 'part.source',
    says:
      'An image source is base64 (image/jpeg, png, gif or webp), url or file; a document source is ' +
      'base64 (application/pdf), text, url, content or file.',
  },
  {
    rule: 'thinking.shape',
    says:
      'A thinking block has the text (it may be empty when its display is omitted) and a signature; ' +
      'redacted_thinking has data.',
  },
  {
    rule: 'thinking.place',
    says:
      '"If an assistant message contains any thinking blocks, the first block must be thinking or ' +
      'redacted_thinking"; "The final block in an assistant message cannot be thinking".',
  },
  { rule: 'tool.id', says: 'A tool_use id matches ^[a-zA-Z0-9_-]+$ and has at most 64 characters.' },
  { rule: 'tool.id.repeated', says: '"tool_use ids must be unique".' },
  { rule: 'tool.name', says: 'A tool name matches ^[a-zA-Z0-9_-]{1,128}$.' },
  { rule: 'tool.input', says: '"tool_use.input: Input should be a valid dictionary".' },
  {
    rule: 'tool.result.missing',
    says:
      '"tool_use ids were found without tool_result blocks immediately after": each has its result in ' +
      'the next message.',
  },
  {
    rule: 'tool.result.orphan',
    says: '"unexpected tool_use_id found in tool_result blocks": its tool_use is in the message before.',
  },
  { rule: 'tool.result.repeated', says: '"each tool_use must have a single result".' },
  {
    rule: 'tool.result.place',
    says:
      '"Messages following tool_use blocks must begin with a matching number of tool_result blocks": ' +
      'results come before other content.',
  },
  { rule: 'tool.result.error', says: 'is_error is a boolean.' },
  { rule: 'cache.many', says: '"A maximum of 4 blocks with cache_control may be provided."' },
  { rule: 'tools.shape', says: 'tools is a list of definitions, each with its own name of the form above.' },
] as const satisfies readonly Rule[]

export type AnthropicReport = Report<NameOf<typeof anthropicRules>>

const cacheLimit = 4

export function judgeAnthropic(request: Json, report: AnthropicReport) {
  if (isFields(request)) judgeSystem(request.system, report)
  const list = listOf(request, 'messages', report)
  if (!list) return
  const pairs = pairing(report)
  let before: Json | undefined
  list.values.forEach((message, i) => {
    const path = `${list.path}[${i}]`
    const role = isFields(message) ? message.role : undefined
    if (role !== 'user') pairs.close()
    if (!isFields(message)) report('message.shape', path, 'a message must be an object')
    else if (role !== 'user' && role !== 'assistant') report('message.role', `${path}.role`, 'unknown role')
    else {
      if (i === 0 && role !== 'user') report('message.first', path, 'the first message must be from the user')
      if (role === before) report('message.order', path, `two messages of the ${role} in a row`)
      content(message.content, `${path}.content`, report, (block, type, at) => {
        judgeBlock({ block, type, path: at, role, pairs, report })
      })
      judgePlaces(message.content, role, `${path}.content`, report)
    }
    if (role === 'user') pairs.close()
    before = role
  })
  pairs.close()
  if (before === 'assistant') {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last message must be from the user')
  }
  toolNames(list.body.tools, 'tools', toolName, (tool) => tool.name ?? null, report)
  judgeCache(list.body, list.values, list.path, report)
}

function judgeSystem(system: Json | undefined, report: AnthropicReport) {
  if (isOptional(system)) return
  if (typeof system === 'string') return text(system, 'system', report)
  if (!isList(system)) return report('system.shape', 'system', 'system must be a string or a list of text blocks')
  system.forEach((block, i) => {
    if (isFields(block) && block.type === 'text') text(block.text, `system[${i}].text`, report)
    else report('system.shape', `system[${i}]`, 'a system block must be a text block')
  })
}

function judgePlaces(blocks: Json | undefined, role: string, path: string, report: AnthropicReport) {
  if (!isList(blocks) || blocks.length === 0) return
  if (role === 'user') return judgeResultPlaces(blocks, path, report)
  if (isThinking(blocks.at(-1))) {
    report('thinking.place', `${path}[${blocks.length - 1}]`, 'the last block of a message cannot be thinking')
  }
  if (blocks.some(isThinking) && !isThinking(blocks[0])) {
    report('thinking.place', `${path}[0]`, 'a message with thinking must begin with it')
  }
}

function judgeResultPlaces(blocks: readonly Json[], path: string, report: AnthropicReport) {
  const firstOther = blocks.findIndex((block) => !isOf(block, 'tool_result'))
  blocks.forEach((block, i) => {
    if (firstOther === -1 || i < firstOther || !isOf(block, 'tool_result')) return
    report('tool.result.place', `${path}[${i}]`, 'tool results must come before other content')
  })
}

function judgeCache(body: Fields, messages: readonly Json[], path: string, report: AnthropicReport) {
  const marked = [
    body.system,
    body.tools,
    ...messages.map((message) => (isFields(message) ? message.content : undefined)),
  ]
    .flatMap((blocks) => (isList(blocks) ? blocks : []))
    .filter((block) => isFields(block) && !isOptional(block.cache_control)).length
  if (marked > cacheLimit) report('cache.many', path, `${marked} blocks have cache_control, at most ${cacheLimit} may`)
}

const isOf = (block: Json | undefined, type: string): boolean => isFields(block) && block.type === type

const isThinking = (block: Json | undefined): boolean => isOf(block, 'thinking') || isOf(block, 'redacted_thinking')
