/** Sharing: links are made and taken back by the owner, and read by whoever holds them. */
import { z } from 'zod'
import { id, instant, pageOf, paging } from '../../operations/shapes/common.js'
import type { Context } from '../context.js'
import { findConversation } from '../history/open.js'
import { Problem } from '../problem.js'
import { created, json } from '../reply.js'
import { type Route, route } from '../route.js'
import type { Share } from './share.js'
import { missingPage, privateHeaders, shareHeaders, sharePage } from './share-page.js'

const day = 86_400

const shareBody = z.strictObject({
  branch: z.string().min(1).max(200).default('main'),
  mode: z
    .enum(['snapshot', 'live'])
    .default('snapshot')
    .describe('snapshot: what the branch says now, for ever; live: whatever it says when someone looks'),
  expires_in: z
    .int()
    .min(60)
    .max(366 * day)
    .default(30 * day)
    .describe('Seconds'),
  title: z.string().min(1).max(200).optional(),
  authors: z.boolean().default(false).describe('Show the names of those who wrote'),
})

const shareSchema = z
  .object({
    id,
    branch: z.string(),
    mode: z.enum(['snapshot', 'live']),
    title: z.string().nullable(),
    authors: z.boolean(),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'Share', description: 'A link by which anyone may read one branch' })

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

const sharesPath = '/api/v1/conversations/{conversation}/shares'

export const shareRoutes: readonly Route[] = [
  route({
    name: 'createShare',
    method: 'post',
    path: sharesPath,
    tag: 'shares',
    summary: 'A link by which anyone may read one branch',
    detail: 'The token is told here and never again.',
    scope: 'write',
    owned: { conversation: 'conversation', 'body.branch': 'branch' },
    body: shareBody,
    answers: { 201: shareSchema.extend({ token: z.string(), url: z.string() }) },
    problems: ['gone'],
    example: { body: { mode: 'snapshot' } },
    async handle({ frame, workspace, params, body }) {
      const { branch, mode, expires_in, title, authors } = body
      const expiresAt = new Date(Date.parse(frame.env.now()) + expires_in * 1_000).toISOString()
      const { share, token } = await frame.live.shares.make(workspace, params.conversation, {
        branch,
        mode,
        expiresAt,
        authors,
        ...(title === undefined ? null : { title }),
      })
      const url = `${frame.live.publicUrl ?? ''}/s/${token}`
      return created({ ...shareOf(share), token, url }, `/api/v1/shares/${token}`)
    },
  }),
  route({
    name: 'listShares',
    method: 'get',
    path: sharesPath,
    tag: 'shares',
    summary: 'The links of a conversation, newest first',
    scope: 'read',
    owned: { conversation: 'conversation' },
    query: z.strictObject(paging),
    answers: { 200: pageOf(shareSchema) },
    problems: ['invalid'],
    async handle(context) {
      const { frame, workspace, params, query } = context
      await findConversation(context, params.conversation)
      const { limit, cursor } = query
      const page = await frame.live.shares.list(workspace, params.conversation, { limit, ...(cursor && { cursor }) })
      return { items: page.items.map(shareOf), next_cursor: page.cursor }
    },
  }),
  route({
    name: 'revokeShare',
    method: 'delete',
    path: `${sharesPath}/{share}`,
    tag: 'shares',
    summary: 'Take a link back, at once',
    scope: 'write',
    owned: { conversation: 'conversation', share: 'share' },
    answers: { 204: null },
    problems: ['gone'],
    async handle({ frame, workspace, params }) {
      await frame.live.shares.revoke(workspace, params.conversation, params.share)
      return new Response(null, { status: 204 })
    },
  }),
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
      const view = await frame.live.shares.view(params.token)
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
  const view = await frame.live.shares.view(params.token)
  const headers = await shareHeaders()
  return view ? new Response(sharePage(view), { headers }) : new Response(missingPage(), { status: 404, headers })
}

const shareOf = ({
  id: share,
  branch,
  mode,
  title,
  authors,
  createdAt,
  expiresAt,
}: Share): z.output<typeof shareSchema> => ({
  id: share,
  branch,
  mode,
  title: title ?? null,
  authors,
  created_at: createdAt,
  expires_at: expiresAt,
})
