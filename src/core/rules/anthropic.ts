import { judgeBlock, judgeSchemas, toolNamePattern } from './anthropic-block.js'
import { judgeCache } from './anthropic-cache.js'
import { serverTools } from './anthropic-server.js'
import { blocksOf, isOf, isThinking, judgeAsking, judgeThinking } from './anthropic-thinking.js'
import { type Image, judgeAlbum } from './images.js'
import type { Fields, Json } from './json.js'
import { pairing } from './pairing.js'
import type { Scope } from './scope.js'
import { content, isFields, isList, isOptional, type List, listOf, text, toolNames } from './shape.js'
import type { anthropicRules } from './table/anthropic.js'
import type { NameOf, Report } from './table/rule.js'

export type AnthropicReport = Report<NameOf<typeof anthropicRules>>

/** The whole body, images included. */
const mostBytes = 32 * 1024 * 1024

export function judgeAnthropic(request: Json, report: AnthropicReport, scope: Scope) {
  if (isFields(request)) judgeSystem(request.system, report)
  const list = listOf(request, 'messages', report)
  if (!list) return
  const images = judgeList(list, scope, report)
  toolNames(list.body.tools, 'tools', toolNamePattern, (tool) => tool.name ?? null, report)
  judgeSchemas(list.body.tools, report)
  judgeThinking(list, scope, report)
  judgeAsking(list.body, scope, report)
  judgeCache(list, scope, report)
  if (scope.profiles.includes('bedrock')) judgeBedrock(list, images, scope, report)
  else judgeAlbum(images, scope.traits.images, list.path, report)
  const bytes = images.reduce((sum, image) => sum + (image.base64?.length ?? 0), 0)
  if (bytes > mostBytes) report('request.bytes', list.path, `the images alone have ${bytes} bytes`)
}

/** Judges each message, and hands back the images and documents of all. */
function judgeList(list: List, scope: Scope, report: AnthropicReport): readonly Image[] {
  const pairs = pairing(report)
  const images: Image[] = []
  const tools = namesOf(list.body.tools)
  let before: Json | undefined
  for (const [i, message] of list.values.entries()) {
    const path = `${list.path}[${i}]`
    const role = isFields(message) ? message.role : undefined
    if (role === 'system') {
      judgeInside(list, i, scope, report)
      continue
    }
    if (role !== 'user') pairs.close()
    if (!isFields(message)) report('message.shape', path, 'a message must be an object')
    else if (role !== 'user' && role !== 'assistant') report('message.role', `${path}.role`, 'unknown role')
    else {
      if (i === 0 && role !== 'user') report('message.first', path, 'the first message must be from the user')
      if (role === before) report('message.order', path, `two messages of the ${role} in a row`)
      for (const key of Object.keys(message))
        if (key !== 'role' && key !== 'content') report('block.extra', `${path}.${key}`, 'a message has no such key')
      const server = serverTools(report)
      content(message.content, `${path}.content`, report, (block, type, at) => {
        judgeBlock({ block, type, path: at, role, pairs, server, tools, images, scope, report })
      })
      server.close(i === list.values.length - 1)
      judgePlaces(message.content, role, `${path}.content`, scope, report)
    }
    if (role === 'user') pairs.close()
    before = role
  }
  pairs.close()
  if (before === 'assistant' && !(scope.claude && scope.claude.version < 4.6)) {
    report('message.last', `${list.path}[${list.values.length - 1}]`, 'the last message must be from the user')
  }
  return images
}

const namesOf = (tools: Json | undefined): ReadonlySet<Json | undefined> | undefined =>
  isList(tools) ? new Set(tools.map((tool) => (isFields(tool) ? tool.name : undefined))) : undefined

function judgeSystem(system: Json | undefined, report: AnthropicReport) {
  if (isOptional(system)) return
  if (typeof system === 'string') return text(system, 'system', report)
  if (!isList(system)) return report('system.shape', 'system', 'system must be a string or a list of text blocks')
  system.forEach((block, i) => {
    if (isFields(block) && block.type === 'text') text(block.text, `system[${i}].text`, report)
    else report('system.shape', `system[${i}]`, 'a system block must be a text block')
  })
}

/** A system message among the others. */
function judgeInside(list: List, i: number, { claude }: Scope, report: AnthropicReport) {
  const path = `${list.path}[${i}]`
  const message = list.values[i] as Fields
  const after = list.values[i + 1]
  const before = list.values[i - 1]
  if (!claude || claude.version < 4.8) return report('message.system', path, 'this model takes no system message here')
  const placed = isFields(before) && before.role === 'user' && (!isFields(after) || after.role === 'assistant')
  const plain =
    typeof message.content === 'string' || blocksOf(message).every((block) => isFields(block) && block.type === 'text')
  if (!placed || !plain) report('message.system', path, 'a system message is text between a user and an assistant')
}

function judgePlaces(blocks: Json | undefined, role: string, path: string, scope: Scope, report: AnthropicReport) {
  if (!isList(blocks) || blocks.length === 0) return
  if (role === 'user') return judgeResultPlaces(blocks, path, report)
  if (isThinking(blocks.at(-1))) {
    report('thinking.place', `${path}[${blocks.length - 1}]`, 'the last block of a message cannot be thinking')
  }
  // later models think between their words
  if (!scope.claude || scope.claude.version > 4.6) return
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

const documentsAtMost = 5

function judgeBedrock(list: List, images: readonly Image[], { traits }: Scope, report: AnthropicReport) {
  const used = list.values.some((message) =>
    blocksOf(message).some((block) => isOf(block, 'tool_use') || isOf(block, 'tool_result')),
  )
  const { tools } = list.body
  if (used && !(isList(tools) && tools.length > 0)) report('bedrock.tools', 'tools', 'calls need their definitions')
  for (const [i, message] of list.values.entries())
    blocksOf(message).forEach((block, j) => {
      if (isFields(block) && block.type === 'tool_use' && String(block.name).length > 64)
        report('bedrock.name', `${list.path}[${i}].content[${j}].name`, 'the name has more than 64 characters')
    })
  const documents = images.filter(({ mediaType }) => !mediaType.startsWith('image/')).length
  for (const [i, message] of list.values.entries()) {
    const blocks = blocksOf(message)
    if (blocks.some((block) => isOf(block, 'document')) && !blocks.some((block) => isOf(block, 'text')))
      report('bedrock.media', `${list.path}[${i}].content`, 'a document needs a text beside it')
  }
  const large = images.some(({ base64 }) => (base64?.length ?? 0) > traits.images.bytes)
  const remote = images.some(({ base64 }) => base64 === undefined)
  if (images.length - documents > traits.images.count || documents > documentsAtMost || large || remote)
    report('bedrock.media', list.path, 'too many, too large or remote images and documents')
}
