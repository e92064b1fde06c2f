/**
 * MCP over HTTP. Every request stands alone: there are no sessions to steal, to lose with a server, or to mix up. What
 * belongs to one workspace is kept from all others: each has a handler and a bus of changes of its own.
 */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { OperationScope } from '../operations/context.js'
import type { Tasks } from '../tasks/record/contract.js'
import { followers } from './follow.js'
import { type McpOptions, mcpContext, servicesOf } from './mcp.js'
import { buildMcpServer } from './server.js'

/** What an MCP door is made of. */
export interface McpDoorOptions extends Omit<McpOptions, 'workspace' | 'tasks' | 'scope' | 'telling'> {
  /** Asked once for each workspace, and closed with the door. */
  readonly tasks: (workspace: string) => Tasks
}

export interface McpCaller {
  readonly workspace: string
  readonly scope: OperationScope
  /** The name of the key; null without one. */
  readonly key: string | null
}

/** MCP over HTTP, for a server of your own. */
export interface McpDoor {
  /** The caller is known and the body read: what is left is to answer. */
  fetch(request: Request, body: unknown, caller: McpCaller): Promise<Response>
  /** Ends what listens, and every agent that was started here. */
  close(): Promise<void>
}

/** A key that was revoked listens no longer than this. */
const listenMs = 10 * 60_000
const listeners = 256

/** Answers MCP requests once the caller is known. @example const door = mcpDoor({ store, tasks: () => openTasks({ store }) }) */
export function mcpDoor(given: McpDoorOptions): McpDoor {
  // one set of runs and of what windows remember for all requests
  const options = { ...given, ...servicesOf(given) }
  const rooms = new Map<string, Room>()
  const roomOf = (workspace: string): Room => {
    const known = rooms.get(workspace) ?? openRoom(workspace, options)
    rooms.set(workspace, known)
    return known
  }
  return {
    async fetch(request, body, { workspace, scope, key }) {
      const { handler, tasks } = roomOf(workspace)
      const leaving = new AbortController()
      const leave = (): void => leaving.abort()
      request.signal.addEventListener('abort', leave, { once: true })
      const wanted = followedIn(body)
      if (wanted.length > 0) {
        const following = followers(mcpContext({ ...options, workspace, tasks }), handler.notify.resourceUpdated)
        for (const uri of wanted) following.add(uri)
        const late = setTimeout(leave, listenMs)
        leaving.signal.addEventListener('abort', () => {
          clearTimeout(late)
          following.close()
        })
      }
      const headers = new Headers(request.headers)
      // who takes anything takes both forms
      if (/^(?:\*\/\*)?$/.test(headers.get('accept') ?? ''))
        headers.set('accept', 'application/json, text/event-stream')
      const asked = new Request(request.url, { method: 'POST', headers, signal: leaving.signal })
      const authInfo = { token: '', clientId: key ?? 'open', scopes: [scope] }
      return handler.fetch(asked, { parsedBody: body ?? null, authInfo })
    },
    async close() {
      const all = [...rooms.values()]
      rooms.clear()
      await Promise.allSettled(all.flatMap(({ handler, tasks }) => [handler.close(), tasks.close()]))
    },
  }
}

interface Room {
  readonly handler: McpHttpHandler
  readonly tasks: Tasks
}

function openRoom(workspace: string, options: McpDoorOptions): Room {
  const tasks = options.tasks(workspace)
  // agents that a server left behind when it died are ended by whoever comes next
  tasks.recover().catch(() => undefined)
  const handler = createMcpHandler(
    ({ era, authInfo }) =>
      buildMcpServer(mcpContext({ ...options, workspace, tasks, scope: authInfo?.scopes[0] as OperationScope }), {
        ...options,
        telling: era === 'modern' ? 'elsewhere' : 'never',
      }),
    { maxSubscriptions: listeners },
  )
  return { handler, tasks }
}

/** The resources that a client wants to hear of, when this is what it asks for. */
function followedIn(body: unknown): readonly string[] {
  const asked = body as { method?: unknown; params?: { notifications?: { resourceSubscriptions?: unknown } } } | null
  if (asked?.method !== 'subscriptions/listen') return []
  const wanted = asked.params?.notifications?.resourceSubscriptions
  return Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === 'string').slice(0, 64) : []
}
