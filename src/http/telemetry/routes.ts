/** The numbers, for whoever collects them. */
import { Problem } from '../kit/problem.js'
import { type Route, route } from '../kit/route.js'

export const telemetryRoutes: readonly Route[] = [
  route({
    name: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'about',
    summary: 'Numbers of this server for Prometheus',
    scope: 'admin',
    answers: { 200: { type: 'text/plain', says: 'The text format 0.0.4' } },
    problems: ['not_found'],
    handle: ({ frame }) => {
      if (!frame.metrics) throw new Problem('not_found')
      return new Response(frame.metrics(), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
    },
  }),
]
