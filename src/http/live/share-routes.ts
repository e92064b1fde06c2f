/** What a link shows to whoever has it. */
import { z } from 'zod'
import { instant } from '../../operations/shapes/common.js'
import type { Context } from '../kit/context.js'
import { Problem } from '../kit/problem.js'
import { json, type Route, route } from '../kit/route.js'
import { missingPage, privateHeaders, shareHeaders, sharePage } from './share-page.js'

const viewSchema = z
  .object({
    title: z.string(),
    mode: z.enum(['snapshot', 'live']),
    expires_at: instant,
    messages: z.array(
      z.object({
        role: z.enum(['user', 'assistant']),
        text: z.string(),
        at: z.string(),
        author: z.string().optional(),
        ai: z.literal(false).optional().describe('No AI gave this answer'),
      }),
    ),
    shortened: z.boolean(),
  })
  .meta({ id: 'SharedConversation', description: 'What a link shows, and no more' })

export const shareRoutes: readonly Route[] = [
  route({
    name: 'readShare',
    method: 'get',
    path: '/api/v1/shares/{token}',
    tag: 'shares',
    summary: 'What a link shows',
    scope: 'share',
    owned: {},
    answers: { 200: viewSchema },
    async handle({ frame, params }) {
      const view = await frame.shares.view(params.token)
      if (!view) throw new Problem('not_found', { headers: privateHeaders })
      return json(view, 200, privateHeaders)
    },
  }),
  route({
    name: 'showShare',
    method: 'get',
    path: '/s/{token}',
    tag: 'shares',
    summary: 'What a link shows, as a page',
    scope: 'share',
    owned: {},
    answers: {
      200: { type: 'text/html', says: 'The conversation, read only' },
      404: { type: 'text/html', says: 'There is nothing here' },
    },
    handle: page,
  }),
]

/** Wrong, ended, taken back and deleted look the same. */
async function page({ frame, params }: Context<{ readonly token: string }>): Promise<Response> {
  const view = await frame.shares.view(params.token)
  const headers = await shareHeaders()
  return view
    ? new Response(await sharePage(view), { headers })
    : new Response(await missingPage(), { status: 404, headers })
}
