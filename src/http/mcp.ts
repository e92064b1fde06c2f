/** `/mcp`: the Model Context Protocol beside the API, behind the same gates. */
import { z } from 'zod'
import { leavingOf, toldAtEnd } from './kit/leaving.js'
import { Problem } from './kit/problem.js'
import { type Route, route } from './kit/route.js'

const error = { type: 'application/json', says: 'A JSON-RPC error' } as const

export const mcpRoutes: readonly Route[] = [
  route({
    name: 'mcp',
    method: 'post',
    path: '/mcp',
    tag: 'mcp',
    summary: 'The Model Context Protocol: tools, resources and prompts for agents',
    detail:
      'JSON-RPC over streamable HTTP, each request by itself: no sessions. Tools that write need the scope write.',
    scope: 'read',
    body: z.unknown().meta({ description: 'A JSON-RPC message' }),
    answers: {
      200: { type: 'application/json', says: 'A JSON-RPC answer' },
      202: null,
      400: error,
      404: error,
      406: error,
    },
    streams: 'JSON-RPC answers and notifications',
    problems: ['not_found'],
    example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    handle: async ({ frame, request, body, caller }) => {
      if (!frame.mcp || caller.scope === 'none') throw new Problem('not_found')
      const { signal, done } = leavingOf(request, frame)
      const asked = new Request(request.url, { method: 'POST', headers: request.headers, signal })
      return toldAtEnd(await frame.mcp.fetch(asked, body, { ...caller, scope: caller.scope }), done)
    },
  }),
]
