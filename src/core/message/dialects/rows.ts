/** Rows of an agent's message table (specification 3): one row per tool call and one per result. */

import type { Refused } from './decode.js'
import { firstOf, idOf, isRaw, note, own, type Raw, type Sink, str } from './read.js'
import { refuse } from './refuse.js'
import { addCall, inputOf, outputParts, result } from './tool.js'

const ids = ['tool_use_id', 'tool_call_id', 'toolUseId', 'id'] as const
const names = ['tool_name', 'toolName', 'name'] as const

/** A `tool_use` row. The arguments are a column of their own, or the content. */
export function readUse(row: Raw, sink: Sink): Refused | undefined {
  const content = own(row, 'content')
  const block = isRaw(content) && (Object.hasOwn(content, 'input') || Object.hasOwn(content, 'name')) ? content : {}
  const name = str(row, '', sink, ...names) ?? str(block, 'content', sink, ...names)
  if (!name) return refuse('bad_content', 'tool_name', 'A tool_use row names its tool')
  const id = idOf(row, '', sink, ...ids) ?? idOf(block, 'content', sink, ...ids)
  const told = firstOf(row, 'tool_input', 'toolInput', 'input') ?? own(block, 'input')
  if (told !== undefined && typeof content === 'string' && content !== '') {
    note(sink, 'content', 'the text of a tool_use row is not kept beside its input')
  }
  const input = inputOf(told ?? content, told === undefined ? 'content' : 'tool_input', sink)
  addCall({ id, name, input }, '', sink)
  return undefined
}

/** A `tool_result` row. Without an id it is matched by order. */
export function readRowResult(row: Raw, sink: Sink): void {
  const id = idOf(row, '', sink, ...ids)
  const failed = own(row, 'is_error') === true || own(row, 'isError') === true || own(row, 'status') === 'error'
  const output = outputParts(firstOf(row, 'content', 'tool_output', 'output', 'result'), 'content', sink)
  sink.results.push(result(id, str(row, '', sink, ...names), failed ? 'error' : 'ok', output))
}
