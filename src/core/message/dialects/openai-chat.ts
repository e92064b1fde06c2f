/** OpenAI Chat Completions, and those who speak it with their own additions (LangChain, reasoning servers). */

import { text } from '../item.js'
import { fileOf, ref } from './file.js'
import { each, firstOf, idOf, isRaw, note, own, type Raw, type Sink, str, typeName } from './read.js'
import { think } from './think.js'
import { addCall, inputOf, outputParts, result } from './tool.js'

/** What stands beside the content, before it. */
export function readReasoning(message: Raw, sink: Sink): void {
  think(sink, str(message, '', sink, 'reasoning_content', 'reasoning') ?? '')
}

/** What stands beside the content, after it. */
export function readExtras(message: Raw, sink: Sink): void {
  const refusal = str(message, '', sink, 'refusal')
  if (refusal) sink.parts.push(text(refusal))
  readAudio(own(message, 'audio'), sink)
  const calls = own(message, 'tool_calls')
  if (Array.isArray(calls)) each(calls, 'tool_calls', sink, (entry, at) => readCall(entry, at, sink))
  const legacy = own(message, 'function_call')
  if (isRaw(legacy)) readFunction(legacy, undefined, 'function_call', sink)
}

/** A message of role `tool` or `function`: its content is one result. */
export function readResult(message: Raw, content: unknown, sink: Sink): void {
  const callId = idOf(message, '', sink, 'tool_call_id', 'toolCallId', 'tool_use_id')
  const name = str(message, '', sink, 'name', 'tool_name', 'toolName')
  const failed = own(message, 'status') === 'error' || own(message, 'is_error') === true
  sink.results.push(result(callId, name, failed ? 'error' : 'ok', outputParts(content, 'content', sink)))
}

function readCall(entry: unknown, at: string, sink: Sink): void {
  if (!isRaw(entry)) {
    note(sink, at, `a tool call is an object, not ${typeName(entry)}`)
    return
  }
  const id = idOf(entry, at, sink, 'id')
  // LangChain repeats in `tool_calls` what the content already has
  if (id !== undefined && sink.parts.some((part) => part.type === 'call' && part.id === id)) return
  const custom = own(entry, 'custom')
  const inner = own(entry, 'function')
  if (isRaw(custom)) readCustom(custom, id, `${at}.custom`, sink)
  else if (isRaw(inner)) readFunction(inner, id, `${at}.function`, sink)
  else readFunction(entry, id, at, sink)
}

function readFunction(raw: Raw, id: string | undefined, at: string, sink: Sink): void {
  const input = inputOf(firstOf(raw, 'arguments', 'args'), `${at}.arguments`, sink)
  addCall({ id, name: str(raw, at, sink, 'name'), input }, at, sink)
}

/** A custom tool takes text, not JSON. */
function readCustom(raw: Raw, id: string | undefined, at: string, sink: Sink): void {
  addCall({ id, name: str(raw, at, sink, 'name'), input: str(raw, at, sink, 'input') ?? '' }, at, sink)
}

function readAudio(audio: unknown, sink: Sink): void {
  if (!isRaw(audio)) return
  const transcript = str(audio, 'audio', sink, 'transcript')
  if (transcript) sink.parts.push(text(transcript))
  const part =
    fileOf(own(audio, 'data'), 'audio.data', sink, {}, 'audio/*') ?? ref(idOf(audio, 'audio', sink, 'id'), 'audio/*')
  if (part) sink.parts.push(part)
}
