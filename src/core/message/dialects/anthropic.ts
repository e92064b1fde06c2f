/** Blocks of Anthropic Messages that are neither text nor files. */

import { idOf, isRaw, own, type Raw, type Sink, str } from './read.js'
import { think } from './think.js'
import { addCall, inputOf, outputParts, result } from './tool.js'

/** True when the type is Anthropic's. */
export function readAnthropic(type: string, block: Raw, at: string, sink: Sink): boolean {
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
