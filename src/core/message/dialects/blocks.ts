/** A list of content blocks, each in any dialect. The first block that is typical of a dialect names it. */
import { text } from '../item.js'
import { readAiSdk } from './ai-sdk.js'
import type { Dialect } from './decode.js'
import { readGoogle } from './google.js'
import { isMedia, media } from './media.js'
import { readOwn } from './own.js'
import { clean, each, idOf, isRaw, note, own, type Raw, type Sink, str, typeName } from './read.js'
import { refuse } from './refuse.js'
import { think } from './think.js'
import { addCall, inputOf, outputParts, result } from './tool.js'

export function readBlocks(list: readonly unknown[], at: string, sink: Sink): void {
  each(list, at, sink, (block, path) => {
    if (typeof block === 'string') say(clean(block, path, sink), sink)
    else if (isRaw(block)) readBlock(block, path, sink)
    else sink.refused ??= refuse('bad_content', path, `A content block is an object, not ${typeName(block)}`, block)
  })
}

function readBlock(block: Raw, at: string, sink: Sink): void {
  const type = own(block, 'type')
  if (typeof type !== 'string') readTypeless(block, at, sink)
  else if (type === 'text' || type === 'input_text' || type === 'output_text') {
    if (type !== 'text') sink.dialect ??= 'openai-responses'
    readText(block, at, sink)
  } else if (type === 'refusal') say(str(block, at, sink, 'refusal') ?? '', sink)
  else if (isMedia(type)) readMedia(type, block, at, sink)
  else {
    const dialect = readTyped(type, block, at, sink)
    if (dialect) sink.dialect ??= dialect
    else note(sink, at, `unknown block type '${clean(type.slice(0, 80), at, sink)}'`)
  }
}

function readTyped(type: string, block: Raw, at: string, sink: Sink): Dialect | undefined {
  if (readAnthropic(type, block, at, sink)) return 'anthropic'
  if (readOwn(type, block, at, sink)) return 'own'
  return readAiSdk(type, block, at, sink) ? 'ai-sdk' : undefined
}

function readTypeless(block: Raw, at: string, sink: Sink): void {
  if (readGoogle(block, at, sink)) sink.dialect ??= 'google'
  else if (Object.hasOwn(block, 'text')) readText(block, at, sink)
  else note(sink, at, 'a block without a type')
}

function readText(block: Raw, at: string, sink: Sink): void {
  const value = own(block, 'text')
  if (typeof value === 'string') say(clean(value, `${at}.text`, sink), sink)
  else sink.refused ??= refuse('bad_content', `${at}.text`, `Text is a string, not ${typeName(value)}`, value)
}

function readMedia(type: string, block: Raw, at: string, sink: Sink): void {
  const part = media(type, block, at, sink)
  if (part) {
    sink.dialect ??= speaks(type, block)
    sink.parts.push(part)
  } else note(sink, at, `${type} block without content`)
}

function speaks(type: string, block: Raw): Dialect {
  if (isRaw(own(block, 'source'))) return type === 'file' ? 'own' : 'anthropic'
  if (type === 'input_image' || type === 'input_file') return 'openai-responses'
  return type === 'image_url' || type === 'input_audio' || isRaw(own(block, 'file')) ? 'openai-chat' : 'ai-sdk'
}

function say(value: string, sink: Sink): void {
  if (value !== '') sink.parts.push(text(value))
}

// Blocks of Anthropic Messages that are neither text nor files.

/** True when the type is Anthropic's. */
function readAnthropic(type: string, block: Raw, at: string, sink: Sink): boolean {
  if (type === 'thinking') {
    think(sink, str(block, at, sink, 'thinking') ?? '', { signature: str(block, at, sink, 'signature') })
  } else if (type === 'redacted_thinking') think(sink, '', { sealed: str(block, at, sink, 'data') })
  else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') readCall(block, at, sink)
  else if (type === 'tool_result' || type.endsWith('_tool_result')) readResult(type, block, at, sink)
  else return false
  return true
}

function readCall(block: Raw, at: string, sink: Sink): void {
  const input = inputOf(own(block, 'input'), `${at}.input`, sink)
  addCall({ id: idOf(block, at, sink, 'id'), name: str(block, at, sink, 'name'), input }, at, sink)
}

function readResult(type: string, block: Raw, at: string, sink: Sink): void {
  const content = own(block, 'content')
  const kind = isRaw(content) ? own(content, 'type') : undefined
  const failed = own(block, 'is_error') === true || (typeof kind === 'string' && kind.endsWith('_error'))
  const name = str(block, at, sink, 'name') ?? hostedName(type)
  const output = outputParts(content, `${at}.content`, sink)
  sink.results.push(result(idOf(block, at, sink, 'tool_use_id'), name, failed ? 'error' : 'ok', output))
}

/** `web_search_tool_result` is the result of `web_search`. */
function hostedName(type: string): string | undefined {
  return type === 'tool_result' || type === 'mcp_tool_result' ? undefined : type.slice(0, -'_tool_result'.length)
}
