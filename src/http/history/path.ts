/** A page of a path: from a head or the end of a branch, or from what stands before a message, backwards. */
import { z } from 'zod'
import { id } from '../../operations/shapes/common.js'
import type { Marks } from '../../operations/shapes/message.js'
import type { Entry } from '../../store/entry.js'
import type { Context } from '../context.js'
import { allMarks } from './marks.js'
import { findConversation, findEntry, headOf } from './open.js'

export const pathQuery = {
  branch: z.string().min(1).max(200).default('main'),
  head: id.optional().describe('The path that ends here, instead of a branch'),
  before: id.optional().describe('The page that ends before this message: `next_cursor`'),
}

interface PathQuery {
  readonly branch: string
  readonly head?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

export async function pathPage<T>(
  context: Context<{ conversation: string }, PathQuery>,
  shown: (entry: Entry, marks: Marks) => T,
) {
  const { frame, workspace, params, query } = context
  const { conversation } = params
  await findConversation(context, conversation)
  const head = query.head ? (await findEntry(context, conversation, query.head)).id : null
  const end = head ?? (await headOf(context, conversation, query.branch))
  const from = query.before ? (await findEntry(context, conversation, query.before)).parent : end
  const entries = from === null ? [] : await frame.store.path(workspace, conversation, from, query.limit)
  const marks = await allMarks(context, conversation)
  const first = entries[0]
  return {
    end,
    items: entries.map((entry) => shown(entry, marks(entry.id))),
    next_cursor: first && first.parent !== null ? first.id : null,
  }
}
