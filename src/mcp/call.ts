/** The way of a call: allowed, bounded, checked, done; whatever is thrown on the way becomes an answer. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { HistoryError, type Issue } from '../core/message/issue.js'
import { nearest } from '../core/message/nearest.js'
import { mayDo } from '../operations/context.js'
import { bounded } from '../tasks/record/bounded.js'
import type { McpContext } from './kit/context.js'
import { forbidden, refused } from './kit/refusal.js'
import { clip, room } from './kit/room.js'
import type { Told, Tool } from './kit/tool.js'

/** Of the arguments of one call. */
const bounds = { inputBytes: 10 * 1024 * 1024, inputDepth: 64 }

export async function call(tool: Tool, given: unknown, context: McpContext): Promise<CallToolResult> {
  try {
    if (!mayDo(context, tool.scope)) throw forbidden(tool.scope)
    return answer(await tool.run(read(tool, bounded(given ?? {}, 'arguments', bounds)) as never, context))
  } catch (error) {
    return refused(error, tool, context)
  }
}

function answer({ data, text, links = [] }: Told): CallToolResult {
  const content = clip(text, room, 'the structured content has the same, in the same bounds').text
  return {
    content: [{ type: 'text', text: content }, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))],
    structuredContent: data,
  }
}

function read({ input, accepts }: Tool, given: unknown): unknown {
  const parsed = accepts.safeParse(given)
  if (parsed.success) return parsed.data
  throw new HistoryError(
    'invalid',
    parsed.error.issues.flatMap((issue) => issuesOf(issue, Object.keys(input.shape))),
  )
}

function issuesOf(issue: z.core.$ZodIssue, names: readonly string[]): Issue[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, 5).map((key) => {
      const field = clip(key, 64).text
      const meant = nearest(field, names)
      return told(
        field,
        `${field} is no parameter${meant ? `; did you mean ${meant}?` : `; there are ${names.join(', ')}`}`,
      )
    })
  const field = pathOf(issue.path)
  return [told(field, `${field || 'arguments'}: ${issue.message}`)]
}

const told = (field: string, message: string): Issue => ({ code: 'mcp.input', field, message, type: 'invalid_value' })

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
