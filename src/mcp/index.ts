/**
 * The MCP server: conversations, tasks and agents for any client that speaks the Model Context Protocol.
 *
 * `mcpServer` is one server for one session or request; `mcpDoor` answers requests over HTTP, `serveMcp` a client on
 * stdin and stdout. All of them work in one workspace and show nothing of another.
 *
 * @module
 */
export type { OperationScope as Scope } from '../operations/context.js'
export { type McpDoor, type McpDoorOptions, mcpDoor } from './http.js'
export type { Telling } from './kit/context.js'
export { type McpOptions, type McpServer, type McpTransport, mcpServer } from './mcp.js'
export { type McpSession, serveMcp } from './stdio.js'
