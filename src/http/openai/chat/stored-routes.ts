/** Completions that were asked to be stored: listed, read, labelled, forgotten. */
import { z } from 'zod'
import type { Entry } from '../../../store/contract/entry.js'
import type { Context } from '../../kit/context.js'
import type { Route } from '../../kit/route.js'
import { after, itemPage } from '../items/find.js'
import type { ListedItem } from '../items/item.js'
import { openaiRoute } from '../shape/route.js'
import { listQuery, listSchema, metadata } from '../shape/schemas.js'
import { completionId, completionSchema, messageOf } from './object.js'
import { type Completion, completions, findCompletion, forgetCompletion, keepCompletion, toldOf } from './record.js'

const path = '/v1/chat/completions'
const one = `${path}/{completion}` as const
const owned = { completion: 'completion' } as const
const { after: behind, limit, order } = listQuery.shape

const asked = { after: behind, limit, order: order.default('asc') }
const label = /^metadata\[(.{1,64})\]$/

const storedQuery = z.looseObject({ ...asked, model: z.string().max(200).optional() }).superRefine((query, context) => {
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(asked, name) || name === 'model' || (label.test(name) && typeof value === 'string')) continue
    context.addIssue({ code: 'custom', path: [name], message: 'is not a known field' })
  }
})

export const storedRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiListCompletions',
    method: 'get',
    path,
    summary: 'The completions that were stored; `metadata[key]=value` picks those that are labelled so',
    scope: 'read',
    query: storedQuery,
    answers: {
      200: z.looseObject({ object: z.literal('list'), data: z.array(completionSchema), has_more: z.boolean() }),
    },
    handle: list,
  }),
  openaiRoute({
    name: 'openaiGetCompletion',
    method: 'get',
    path: one,
    summary: 'A stored completion',
    scope: 'read',
    owned,
    answers: { 200: completionSchema },
    handle: async (context) => toldOf(context, await findCompletion(context, context.params.completion)),
  }),
  openaiRoute({
    name: 'openaiUpdateCompletion',
    method: 'post',
    path: one,
    summary: 'Label a stored completion',
    scope: 'write',
    owned,
    body: z.strictObject({ metadata: metadata.nullable() }),
    answers: { 200: completionSchema },
    example: { body: { metadata: { topic: 'travel' } } },
    async handle(context) {
      const found = await findCompletion(context, context.params.completion)
      const labelled = { ...found, metadata: context.body.metadata ?? {} }
      await keepCompletion(context, labelled)
      return toldOf(context, labelled)
    },
  }),
  openaiRoute({
    name: 'openaiDeleteCompletion',
    method: 'delete',
    path: one,
    summary: 'Forget a stored completion; its words stay in their conversation',
    scope: 'write',
    owned,
    answers: {
      200: z.object({ id: z.string(), object: z.literal('chat.completion.deleted'), deleted: z.literal(true) }),
    },
    async handle(context) {
      const found = await findCompletion(context, context.params.completion)
      await forgetCompletion(context, found)
      return { id: completionId(found.run), object: 'chat.completion.deleted', deleted: true }
    },
  }),
  openaiRoute({
    name: 'openaiListCompletionMessages',
    method: 'get',
    path: `${one}/messages`,
    summary: 'What it answered: the history up to its question',
    scope: 'read',
    owned,
    query: z.strictObject(asked),
    answers: { 200: listSchema.extend({ data: z.array(z.looseObject({ id: z.string(), role: z.string() })) }) },
    async handle(context) {
      const { query, params } = context
      const said = await messagesOf(context, await findCompletion(context, params.completion))
      return itemPage(after(query.order === 'asc' ? said : said.toReversed(), query.after), query.limit)
    },
  }),
]

type At = Pick<Context, 'frame' | 'workspace'>

async function list(context: At & { readonly query: Record<string, unknown> }) {
  const { after: last, limit: most, order: way, model, ...labels } = context.query
  const wanted = Object.entries(labels).map(([name, value]) => [label.exec(name)?.[1], value] as const)
  const found: Completion[] = []
  for await (const completion of completions(context)) {
    const { run, metadata: own } = completion
    if (model !== undefined && run.model !== model) continue
    if (wanted.some(([name, value]) => name === undefined || own[name] !== value)) continue
    found.push(completion)
  }
  const listed = (way === 'asc' ? found.reverse() : found).map((completion) => ({
    id: completionId(completion.run),
    type: 'chat.completion',
    completion,
  }))
  const page = itemPage(after(listed, last as string | undefined), most as number)
  const data = page.data as unknown as typeof listed
  return { ...page, data: await Promise.all(data.map(({ completion }) => toldOf(context, completion))) }
}

/** Up to the question: the path that ends before the answer. */
async function messagesOf({ frame, workspace }: At, { run }: Completion) {
  const { conversation, asked, entry } = run
  const answer = asked === null && entry !== null ? await frame.store.entry(workspace, conversation, entry) : null
  const end = asked ?? answer?.parent ?? null
  const path = end === null ? [] : await frame.store.path(workspace, conversation, end)
  return path.flatMap(saidIn)
}

function saidIn({ id, body, text, author, redacted }: Entry): ListedItem[] {
  if (redacted) return []
  const listed = { id: `msg_${id}`, type: 'message', ...(author === undefined ? null : { name: author }) }
  if (body.kind === 'result') return [{ ...listed, role: 'tool', tool_call_id: body.callId, content: text }]
  if (body.kind !== 'message') return []
  return [
    body.role === 'assistant' ? { ...listed, ...messageOf(body.parts) } : { ...listed, role: body.role, content: text },
  ]
}
