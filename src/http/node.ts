/** The service inside a Node server of someone else's: Express, Fastify, `http.createServer`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Service } from './service.js'

/**
 * A handler for Node's own requests. A body that was parsed already is gone: mount it before body parsers.
 *
 * @example
 * ```ts
 * const service = await openService({ store, models, basePath: '/chat', origin: { hosts: ['app.example.com'] } })
 * express().use(toNodeHandler(service)).listen(3000)
 * ```
 */
export function toNodeHandler({
  fetch,
}: Pick<Service, 'fetch'>): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const listener = getRequestListener(
    (request, bindings) => {
      const remote = (bindings as HttpBindings).incoming.socket.remoteAddress
      return fetch(request, remote === undefined ? {} : { remote })
    },
    // the process is someone else's, and so are its `Request` and `Response`
    { overrideGlobalObjects: false },
  )
  return (incoming, outgoing) => {
    void listener(incoming, outgoing)
  }
}
