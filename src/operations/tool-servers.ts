/** Tools of an agent: the servers they come from, added, tested and removed while the service runs. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { HistoryError } from '../core/message/issue.js'
import type { AllowedTools, NamedServer, ToolServer, ToolServers } from '../runs/tools/servers.js'
import type { OperationContext } from './context.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { approvalSchema, serverFields, serverName } from './shapes/tool-server.js'

const serverShape = z
  .object({
    name: z.string(),
    from: z.enum(['app', 'settings']).describe('`settings`: it can only be changed where the service was started'),
    command: z.string().nullable().describe('The program and its arguments'),
    url: z.string().nullable(),
    headers: z.array(z.string()).describe('Names only: their values are never told'),
    approval: approvalSchema,
    tools: z.record(z.string(), approvalSchema).describe('Of single tools'),
  })
  .meta({ id: 'ToolServer', description: 'An MCP server whose tools an agent may call' })

const toolShape = z
  .object({ name: z.string().describe('As a model calls it'), description: z.string(), approval: approvalSchema })
  .meta({ id: 'AgentTool', description: 'A tool that the service runs' })

const offerShape = z
  .object({ milliseconds: z.int(), tools: z.array(toolShape) })
  .meta({ id: 'OfferedTools', description: 'What a tool server offers' })

const detail =
  'Only the operator may do this: anyone at an open service, or an admin key of the workspace `default`. A program is started only where callers with a key may start programs (`agent_commands`).'

export const listTools = operation({
  name: 'tools.list',
  summary: 'The tools that an agent may call now',
  scope: 'read',
  input: z.strictObject({}),
  output: z.object({ items: z.array(toolShape), next_cursor: z.null() }),
  refusals: ['invalid'],
  run: async ({ tools, workspace }) => {
    const items = [...(await tools.of(workspace))].map(([name, { description = '', approval = 'always' }]) => ({
      name,
      description,
      approval,
    }))
    return { items, next_cursor: null }
  },
})

export const listToolServers = operation({
  name: 'tool_servers.list',
  summary: 'The servers that tools come from',
  scope: 'operator',
  input: z.strictObject({}),
  output: z.object({ items: z.array(serverShape), next_cursor: z.null() }),
  refusals: ['invalid'],
  run: async (context) => ({ items: ((await context.toolServers?.list()) ?? []).map(toWire), next_cursor: null }),
})

const input = z.strictObject({ server: serverName, ...serverFields })
const example = { server: 'files', command: 'mcp-server-filesystem', args: ['docs'] }

export const testToolServer = operation({
  name: 'tool_servers.test',
  summary: 'Try a server: whether it answers, and which tools it has; nothing is kept',
  detail,
  scope: 'operator',
  input,
  output: offerShape,
  refusals: ['invalid', 'tool_server_failed'],
  example,
  run: async (context, { server, ...given }) => copied(await opened(context).offer(server, serverOf(given))),
})

export const addToolServer = operation({
  name: 'tool_servers.add',
  summary: 'Add a server, or change one that was added: its tools are there from the next run on',
  detail,
  scope: 'operator',
  input,
  output: serverShape,
  refusals: ['invalid', 'id_conflict', 'tool_server_failed'],
  example,
  run: async (context, { server, ...given }) => toWire(await opened(context).add(server, serverOf(given))),
})

export const checkToolServer = operation({
  name: 'tool_servers.check',
  summary: 'What a server offers now',
  scope: 'operator',
  input: z.strictObject({ server: serverName }),
  output: offerShape,
  refusals: ['invalid', 'tool_server_failed'],
  example: { server: 'files' },
  run: async (context, { server }) => {
    const found = (await opened(context).list()).find(({ name }) => name === server)
    if (!found) throw notFound('server', server)
    return copied(await opened(context).offer(server, found))
  },
})

export const allowTools = operation({
  name: 'tool_servers.allow',
  summary: 'Change which calls of a server that was added run at once, are asked about or refused',
  scope: 'operator',
  input: z.strictObject({
    server: serverName,
    approval: approvalSchema.optional().describe('Of all its tools that have none of their own'),
    tools: z
      .record(z.string().min(1).max(4_000), approvalSchema)
      .optional()
      .describe('Of single tools, by their own names or as a model calls them; others stay as they are'),
  }),
  output: serverShape,
  refusals: ['invalid', 'id_conflict'],
  example: { server: 'files', tools: { read_file: 'always' } },
  run: async (context, { server, ...change }) => {
    const changed = await opened(context).allow(server, defined<AllowedTools>(change))
    if (!changed) throw notFound('server', server)
    return toWire(changed)
  },
})

export const removeToolServer = operation({
  name: 'tool_servers.remove',
  summary: 'Remove a server that was added; its tools are gone from the next run on',
  scope: 'operator',
  destroys: true,
  input: z.strictObject({ server: serverName }),
  output: z.null(),
  refusals: ['invalid'],
  example: { server: 'files' },
  run: async (context, { server }) => {
    if (!(await opened(context).remove(server))) throw notFound('server', server)
    return null
  },
})

function opened({ toolServers }: OperationContext): ToolServers {
  if (toolServers) return toolServers
  const message = 'this server was opened without tool servers: throughline serve has them'
  throw new HistoryError('invalid', [{ code: 'invalid', message }])
}

type Given = Omit<z.output<typeof input>, 'server'>

const eitherOr = 'give either a command or a url'

export function serverOf({ command, args, env, cwd, url, headers, approval, tools }: Given): ToolServer {
  if ((url === undefined) === (command === undefined))
    throw new HistoryError('invalid_request', [{ code: 'invalid_request', field: 'command', message: eitherOr }])
  const address = url === undefined ? { command: command as string, args, env, cwd } : { url, headers }
  return { address, approval, tools }
}

const copied = ({ milliseconds, tools }: Awaited<ReturnType<ToolServers['offer']>>) => ({
  milliseconds,
  tools: tools.map((tool) => ({ ...tool })),
})

const toWire = ({ name, from, address, approval, tools }: NamedServer): z.output<typeof serverShape> => ({
  name,
  from,
  command: 'command' in address ? [address.command, ...(address.args ?? [])].join(' ') : null,
  url: 'url' in address ? address.url : null,
  headers: 'url' in address ? Object.keys(address.headers ?? {}) : [],
  approval,
  tools: { ...tools },
})
