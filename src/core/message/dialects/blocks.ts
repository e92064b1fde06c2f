/** A list of content blocks, each in any dialect. The first block that is typical of a dialect names it. */

import { text } from '../item.js'
import { readAiSdk } from './ai-sdk.js'
import { readAnthropic } from './anthropic.js'
import type { Dialect } from './decode.js'
import { readGoogle } from './google.js'
import { isMedia, media } from './media.js'
import { readOwn } from './own.js'
import { clean, each, isRaw, note, own, type Raw, type Sink, str, typeName } from './read.js'
import { refuse } from './refuse.js'

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
