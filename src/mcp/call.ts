/** The way of a call: bounded, done by its operation, which checks it; whatever is thrown on the way becomes an answer. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { HistoryError } from '../core/message/issue.js'
import { bounded } from '../tasks/record/bounded.js'
import type { McpContext } from './kit/context.js'
import { toolRefused } from './kit/refusal.js'
import { clipText, room } from './kit/room.js'
import type { McpTool, ToolAnswer } from './kit/tool.js'

/** Of the arguments of one call. */
const bounds = { inputBytes: 10 * 1024 * 1024, inputDepth: 64 }

export async function call(tool: McpTool, given: unknown, context: McpContext): Promise<CallToolResult> {
  try {
    return answer(await tool.run(read(given), context))
  } catch (error) {
    return toolRefused(error, tool, context)
  }
}

function read(given: unknown): Readonly<Record<string, unknown>> {
  const copy = bounded(given ?? {}, 'arguments', bounds)
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy }
  throw new HistoryError('invalid_request', [{ code: 'invalid_request', message: 'the arguments must be an object' }])
}

function answer({ data, text, links = [] }: ToolAnswer): CallToolResult {
  const content = clipText(text, room, 'the structured content has the same, in the same bounds').text
  return {
    content: [{ type: 'text', text: content }, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))],
    structuredContent: data,
  }
}
