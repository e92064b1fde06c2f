/** One server for one session or one request. It holds nothing that another caller could see. */
import {
  type CallToolResult,
  type CompleteRequestParams,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { HistoryError } from '../core/message/issue.js'
import { bounded } from '../tasks/record/bounded.js'
import { followers } from './follow.js'
import type { McpContext } from './kit/context.js'
import { toolRefused } from './kit/refusal.js'
import { clipText, room } from './kit/room.js'
import { listedTool, type McpTool, type ToolAnswer } from './kit/tool.js'
import type { McpOptions } from './mcp.js'
import { getPrompt, prompts, protocolErrorOf } from './prompts.js'
import { listResources, readResource, templates } from './resources.js'
import { findTool, mcpTools, nearestTool } from './tools/tools.js'

type Facts = Pick<McpOptions, 'version' | 'telling'>

const instructions = `Throughline keeps conversations and hands them over to agents.
To delegate: create_real_task with conversation_history (the messages that led to the task), then deploy_headless_agent, then get_real_task_status and get_agent_output.
As an agent: update_agent_progress and report_agent_finding tell the orchestrator what you do and find.
To remember: conversation_search, conversation_get; context_assemble gives what fits a budget.`

const allTools = (() => {
  let made: ReturnType<typeof listedTool>[] | undefined
  return () => (made ??= mcpTools.map(listedTool))
})()

export function buildMcpServer(context: McpContext, { version = '0.0.0', telling = 'subscribed' }: Facts): Server {
  const server = new Server(
    { name: 'throughline', title: 'Throughline', version },
    {
      capabilities: { tools: {}, resources: { subscribe: telling !== 'never' }, prompts: {}, completions: {} },
      instructions,
    },
  )
  const following = followers(context, (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined))
  server.onclose = following.close

  server.setRequestHandler('tools/list', () => ({ tools: allTools() }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = findTool(params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknown(params.name))
    return call(tool, params.arguments, context)
  })

  server.setRequestHandler(
    'resources/list',
    guarded(async () => ({ resources: await listResources(context) })),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...templates] }))
  server.setRequestHandler(
    'resources/read',
    guarded(async ({ params }) => {
      if (telling === 'read') following.add(params.uri)
      return readResource(params.uri, context)
    }),
  )
  if (telling === 'subscribed') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      following.add(params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      following.remove(params.uri)
      return {}
    })
  }

  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map((one) => ({ ...one, arguments: [...one.arguments] })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}, context))
  server.setRequestHandler(
    'completion/complete',
    guarded(async ({ params }) => ({ completion: { values: await complete(params, context) } })),
  )
  return server
}

/** No words of a fault of ours reach the client. */
function guarded<A, R>(work: (asked: A) => Promise<R>): (asked: A) => Promise<R> {
  return async (asked) => {
    try {
      return await work(asked)
    } catch (error) {
      throw protocolErrorOf(error)
    }
  }
}

function unknown(name: string): string {
  const near = nearestTool(name)
  return `there is no tool ${name.slice(0, 100)}${near ? `; did you mean ${near}?` : ''}`
}

// ids for the arguments of prompts and resources, as they are typed

const most = 100

async function complete({ ref, argument }: CompleteRequestParams, context: McpContext): Promise<string[]> {
  const { store, workspace, tasks } = context
  const begun = (ids: readonly string[]): string[] => ids.filter((id) => id.startsWith(argument.value)).slice(0, most)
  if (ref.type === 'ref/resource' && ref.uri.startsWith('task://'))
    return begun((await tasks.list({ limit: most })).items.map(({ id }) => id))
  const isConversation =
    ref.type === 'ref/prompt' ? argument.name === 'conversation_id' : ref.uri === 'throughline://conversations/{id}'
  return isConversation ? begun((await store.list(workspace, { limit: most })).items.map(({ id }) => id)) : []
}

// The way of a call: bounded, done by its operation, which checks it; whatever is thrown on the way becomes an answer.

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
