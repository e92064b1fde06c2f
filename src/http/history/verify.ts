/** Is the log what it was? */
import { z } from 'zod'
import { type Route, route } from '../route.js'
import { findConversation } from './open.js'

const fault = z.object({ seq: z.int(), fault: z.string() })

export const verifyRoutes: readonly Route[] = [
  route({
    name: 'verifyConversation',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/verify',
    tag: 'conversations',
    summary: 'Recompute every hash and link of it',
    scope: 'read',
    owned: { conversation: 'conversation' },
    answers: { 200: z.object({ ok: z.boolean(), entries: z.int(), faults: z.array(fault) }) },
    handle: async (context) => {
      const { id } = await findConversation(context, context.params.conversation)
      const found = await context.frame.store.verify(context.workspace, id)
      return { ok: found.ok, entries: found.entries, faults: found.ok ? [] : found.faults }
    },
  }),
]
