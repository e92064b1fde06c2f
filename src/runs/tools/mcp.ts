/** One MCP server, started as a program or reached over HTTP: what it offers, and its tools as tools of an agent. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { OutputPart } from '../../core/message/item.js'
import { type JsonSchema, type ToolCall, type ToolOutput, toolOutput } from './tool.js'

export type ServerAddress =
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      /** Names of variables that it gets beside the few that every program needs. */
      readonly env?: readonly string[] | undefined
      readonly cwd?: string | undefined
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  call(input: unknown, call: ToolCall): Promise<ToolOutput>
}

export interface ConnectedServer {
  /** As it is now: a server may change what it offers. */
  tools(): Promise<readonly OfferedTool[]>
  readonly isOpen: () => boolean
  close(): Promise<void>
}

const connectMs = 15_000
/** The run has a limit of its own. */
const callMs = 24 * 60 * 60_000

export async function connectServer(address: ServerAddress, version: string): Promise<ConnectedServer> {
  const client = new Client({ name: 'throughline', version })
  let open = true
  client.onclose = () => {
    open = false
  }
  await client.connect(transportOf(address), { timeout: connectMs })
  const offered = (tool: ListedTool): OfferedTool => ({
    name: tool.name,
    description: tool.description ?? tool.title ?? '',
    parameters: tool.inputSchema as JsonSchema,
    async call(input, { signal }) {
      const given = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
      const { content, isError } = await client.callTool(
        { name: tool.name, arguments: given },
        { signal, timeout: callMs },
      )
      return toolOutput(content.map(partOf), isError ? 'error' : 'ok')
    },
  })
  return {
    isOpen: () => open,
    close: () => client.close(),
    async tools() {
      const all: OfferedTool[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: connectMs })
        all.push(...page.tools.map(offered))
        cursor = page.nextCursor
        if (cursor === undefined) return all
      }
    },
  }
}

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number]
type Content = Awaited<ReturnType<Client['callTool']>>['content'][number]

function transportOf(address: ServerAddress) {
  if ('url' in address)
    return new StreamableHTTPClientTransport(new URL(address.url), {
      ...(address.headers && { requestInit: { headers: { ...address.headers } } }),
    })
  const { command, args = [], env = [], cwd } = address
  const own = env.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] as string]]))
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(own) },
    stderr: 'ignore',
    ...(cwd !== undefined && { cwd }),
  })
}

function partOf(content: Content): OutputPart {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text }
    case 'image':
    case 'audio':
      return { type: 'file', mediaType: content.mimeType, source: { kind: 'data', base64: content.data } }
    case 'resource_link':
      return { type: 'text', text: `${content.title ?? content.name}: ${content.uri}` }
    case 'resource': {
      const { resource } = content
      if ('text' in resource) return { type: 'text', text: resource.text }
      const mediaType = resource.mimeType ?? 'application/octet-stream'
      return { type: 'file', mediaType, source: { kind: 'data', base64: resource.blob } }
    }
  }
}
