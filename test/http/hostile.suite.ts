import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namesIn, type RouteFacts } from '../../src/http/kit/route.js'
import { type Host, startService } from './host.js'
import { bodies, headers, ids, lines, queries, speak } from './hostile.js'

/** Everything that means harm, sent to each of these routes: at least so many requests. */
export function refusesHarm(routes: readonly RouteFacts[], least: number): void {
  describe('hostile requests', () => {
    let host: Host
    let conversation: string
    let count = 0
    beforeAll(async () => {
      host = await startService()
      conversation = (await host.call('POST', '/api/v1/conversations', { body: {} })).body.id
    })
    afterAll(() => host.stop())

    const pathOf = ({ path, example }: RouteFacts) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        name === 'conversation' ? conversation : (example.params?.[name] ?? 'x'),
      )

    const send = async (route: RouteFacts, path: string, init: RequestInit = {}): Promise<string[]> => {
      count++
      const response = await fetch(host.url + path, { method: route.method.toUpperCase(), ...init })
      await response.body?.cancel()
      const { status } = response
      return status >= 400 && status < 500 ? [] : [`${status} ${route.name} ${path.slice(0, 80)}`]
    }

    const taking = routes.filter(({ body }) => body !== null)

    test.each(bodies)('a body with %s is refused by every route', async (_, bytes) => {
      const init = { body: bytes, headers: { 'content-type': 'application/json' } }
      const answers: string[] = []
      // one after the other: all at once, a client in the same process would miss that its idle connections were closed
      for (const route of taking) answers.push(...(await send(route, pathOf(route), init)))
      expect(answers).toEqual([])
    })

    test('an id that is none names nothing', async () => {
      const named = routes.filter(({ path }) => namesIn(path).length > 0)
      for (const route of named)
        for (const id of ids) {
          const path = route.path.replaceAll(/\{\w+\}/g, id)
          const body = route.example.body === undefined ? {} : { body: JSON.stringify(route.example.body) }
          const init = { ...body, headers: { 'content-type': 'application/json' } }
          // where any name may be asked for, what it names is still nothing
          const nothing = 204 in route.answers ? [`204 ${route.name} ${path.slice(0, 80)}`] : []
          expect([[], nothing]).toContainEqual(await send(route, path, init))
        }
    })

    test('a query that is none is refused', async () => {
      for (const route of routes.filter(({ method, scope }) => method === 'get' && scope !== 'share'))
        for (const query of queries) expect(await send(route, `${pathOf(route)}?${query}`)).toEqual([])
    })

    test('a body that is not what it says is refused', async () => {
      for (const route of taking)
        for (const one of headers)
          expect(
            await send(route, pathOf(route), { body: JSON.stringify(route.example.body ?? {}), headers: one }),
          ).toEqual([])
    })

    test('what is no request is refused or cut off', async () => {
      const port = Number(new URL(host.url).port)
      for (let round = 0; round < 3; round++) {
        const statuses = await Promise.all(lines.map((words) => speak(port, words)))
        count += statuses.length
        const served = lines.filter((_, i) => statuses[i] !== 0 && Math.floor((statuses[i] ?? 0) / 100) !== 4)
        expect(served).toEqual([])
      }
    })

    test('after all of them the server is well, and nothing of its own broke [A-04]', async () => {
      expect(count).toBeGreaterThan(least)
      expect((await host.call('GET', `/api/v1/conversations/${conversation}`)).status).toBe(200)
      expect(host.log.filter(({ level }) => level === 'error')).toEqual([])
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    })
  })
}
