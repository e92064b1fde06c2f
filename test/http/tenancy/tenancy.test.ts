import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../../src/http/kit/route.js'
import { routes } from '../../../src/http/routes.js'
import { deep } from '../../runs.js'
import { type Host, type StoreName, startService } from '../host.js'
import { cellsOf, gapsOf, judge, type Stage, stageOf } from './matrix.js'

const options = { auth: { mode: 'keys' }, rate: null, metrics: () => 'throughline_up 1\n' } as const

describe.each<StoreName>(deep ? ['memory', 'sqlite'] : ['memory'])('the tenancy matrix over the %s store', (store) => {
  let host: Host
  let stage: Stage
  beforeAll(async () => {
    host = await startService({ ...options, store })
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
    const theirs = await host.call('POST', '/chat', { key: stage.foreign.key, body: { message: stage.foreign.canary } })
    const mine = await host.call('POST', '/chat', {
      key: stage.own.key,
      body: { session_id: theirs.body.session_id, message: 'What was said before?' },
    })
    expect(mine.status).toBe(200)
    expect(mine.text).not.toContain(stage.foreign.canary)
  })
})

describe('the matrix catches', () => {
  const named = (name: string): Route => routes.find((route) => route.name === name) as Route
  const withMutant = async (mutant: Route): Promise<string[]> => {
    const host = await startService({
      ...options,
      routes: routes.map((route) => (route.name === mutant.name ? mutant : route)),
    })
    try {
      return (await judge(await stageOf(host), named(mutant.name))).faults
    } finally {
      await host.stop()
    }
  }

  test.each(['getConversation', 'listMessages', 'exportConversation', 'deleteConversation', 'getReceipt'])(
    '%s when it works in whatever workspace has the thing',
    async (name) => {
      const route = named(name)
      const lost: Route = {
        ...route,
        handle: async (context) => {
          try {
            return await route.handle({ ...context, workspace: 'own' })
          } catch {
            return route.handle({ ...context, workspace: 'foreign' })
          }
        },
      }
      expect((await withMutant(lost)).length).toBeGreaterThan(0)
    },
  )

  test('a route whose authoriser asks for too little', async () => {
    expect(await withMutant({ ...named('deleteConversation'), scope: 'read' })).toContainEqual(
      expect.stringContaining('by reader on own: 200 instead of 403'),
    )
  })

  test('a route that lists what belongs to another', async () => {
    const route = named('listConversations')
    const lost: Route = { ...route, handle: (context) => route.handle({ ...context, workspace: 'foreign' }) }
    expect(await withMutant(lost)).toContainEqual(expect.stringContaining('tells canary-foreign'))
  })

  test('a refusal that tells foreign from missing', async () => {
    const route = named('getConversation')
    const oracle: Route = {
      ...route,
      handle: async (context) => {
        const there = await context.frame.store.get('foreign', context.params.conversation_id ?? '')
        if (there) return new Response('{"code":"not_found","hint":"ask the owner"}', { status: 404 })
        return route.handle(context)
      },
    }
    expect(await withMutant(oracle)).toContainEqual(expect.stringContaining('told apart'))
  })
})
