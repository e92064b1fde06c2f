/** Every route, each kind of caller, and what belongs to whom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../src/http/routes.js'
import { type Host, type HostOptions, startService } from '../host.js'
import { cellsOf, gapsOf, judge, type Stage, stageOf } from './matrix.js'

export const options = { auth: { mode: 'keys' }, rate: null, metrics: () => 'throughline_up 1\n' } as const

export function tenancyOver(name: string, open: () => HostOptions['store'] | Promise<HostOptions['store']>): void {
  describe(`the tenancy matrix over the ${name} store`, () => {
    let host: Host
    let stage: Stage
    beforeAll(async () => {
      const store = await open()
      host = await startService({ ...options, ...(store && { store }) })
      stage = await stageOf(host)
    })
    afterAll(() => host.stop())

    test('covers every route', () => {
      expect(routes.flatMap(gapsOf)).toEqual([])
      expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
      expect(routes.flatMap(cellsOf).length).toBeGreaterThan(500)
    })

    test.each(routes.map((route) => [route.name, route] as const))(
      '%s gives each caller what is theirs [A-01]',
      async (_, route) => {
        expect((await judge(stage, route)).faults).toEqual([])
      },
    )

    test('a session of another workspace is a name like any other', async () => {
      const theirs = await host.call('POST', '/chat', {
        key: stage.foreign.key,
        body: { message: stage.foreign.canary },
      })
      const mine = await host.call('POST', '/chat', {
        key: stage.own.key,
        body: { session_id: theirs.body.session_id, message: 'What was said before?' },
      })
      expect(mine.status).toBe(200)
      expect(mine.text).not.toContain(stage.foreign.canary)
    })
  })
}
