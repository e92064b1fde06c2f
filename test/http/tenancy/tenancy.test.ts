import { describe, expect, test } from 'vitest'
import type { Route } from '../../../src/http/kit/route.js'
import { routes } from '../../../src/http/routes.js'
import { startService } from '../host.js'
import { judge, stageOf } from './matrix.js'
import { options, tenancyOver } from './tenancy.suite.js'

tenancyOver('memory', () => 'memory')

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
