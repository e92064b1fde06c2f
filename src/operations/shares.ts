/** Sharing: links are made and taken back by the owner, and read by whoever has them. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import type { PageQuery } from '../store/contract/page.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id, id, instant, pageSchema, paging } from './shapes/common.js'
import type { Share, ShareRequest } from './share.js'

const day = 86_400

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

export const createShare = operation({
  name: 'shares.create',
  summary: 'A link by which anyone may read one branch',
  detail: 'The token is told here and never again.',
  scope: 'write',
  owned: { conversation_id: 'conversation', branch: 'branch' },
  input: z.strictObject({
    conversation_id,
    branch: branchName.default('main'),
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
  }),
  output: shareSchema.extend({ token: z.string(), url: z.string() }),
  refusals: ['gone'],
  example: { mode: 'snapshot' },
  run: async ({ shares, workspace, env, publicUrl }, { conversation_id, expires_in, ...asked }) => {
    const expiresAt = new Date(Date.parse(env.now()) + expires_in * 1_000).toISOString()
    const request = defined<ShareRequest>({ ...asked, expiresAt })
    const { share, token } = await shares.make(workspace, conversation_id, request)
    return { ...shareToWire(share), token, url: `${publicUrl}/s/${token}` }
  },
})

export const listShares = operation({
  name: 'shares.list',
  summary: 'The links of a conversation, newest first',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({ conversation_id, ...paging }),
  output: pageSchema(shareSchema),
  refusals: ['invalid'],
  run: async (context, { conversation_id, ...page }) => {
    await findConversation(context, conversation_id)
    const { items, cursor } = await context.shares.list(context.workspace, conversation_id, defined<PageQuery>(page))
    return { items: items.map(shareToWire), next_cursor: cursor }
  },
})

export const revokeShare = operation({
  name: 'shares.revoke',
  summary: 'Take a link back, at once',
  scope: 'write',
  destroys: true,
  owned: { conversation_id: 'conversation', share_id: 'share' },
  input: z.strictObject({ conversation_id, share_id: id.describe('The id of a share') }),
  output: z.null(),
  refusals: ['gone'],
  run: async ({ shares, workspace }, { conversation_id, share_id }) => {
    await shares.revoke(workspace, conversation_id, share_id)
    return null
  },
})

const shareToWire = ({
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
