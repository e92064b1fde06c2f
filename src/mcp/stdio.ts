/** MCP over stdin and stdout: one client, one session, until it leaves. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type McpOptions, mcpContext } from './mcp.js'
import { buildMcpServer } from './server.js'

/** A client on stdin and stdout. */
export interface McpSession {
  /** Resolves when the client has left. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Arguments of 10 MB must come through to be refused in words. */
const mostBytes = 32 * 1024 * 1024

/** Serves the client that started this process. @example await serveMcp({ store, tasks: openTasks({ store }) }).ended */
export function serveMcp(options: McpOptions): McpSession {
  const { log = () => undefined } = options
  const wire = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: mostBytes })
  const session = serveStdio(
    ({ era }) => buildMcpServer(mcpContext(options), { ...options, telling: era === 'modern' ? 'read' : 'subscribed' }),
    { transport: wire, onerror: ({ name }) => log({ level: 'warn', event: 'mcp-refused', error: name }) },
  )
  const served = wire.onclose
  const ended = new Promise<void>((resolve) => {
    wire.onclose = () => {
      served?.()
      resolve()
    }
  })
  return { ended, close: () => session.close() }
}
