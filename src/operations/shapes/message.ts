/** Messages on the wire: as they are kept, and as they are sent to us. */
import { z } from 'zod'
import type { Body, Entry } from '../../store/contract/entry.js'
import { id, instant, issueSchema, meta } from './common.js'
import { outputSchema, partsSchema } from './part.js'

export const ratingSchema = z
  .object({ value: z.int().min(-1).max(1), note: z.string().nullable(), at: instant })
  .meta({ id: 'Rating', description: 'What someone thought of an answer' })

const common = {
  id,
  seq: z.int().describe('Gap-free within the conversation: the only order there is'),
  parent_id: id.nullable(),
  depth: z.int().describe('Position on its path, from 0'),
  text: z.string(),
  tokens: z.int(),
  total_tokens: z.int().describe('Of the path up to here'),
  at: instant,
  author: z.string().nullable(),
  model: z.string().nullable(),
  meta,
  redacted: z.boolean(),
  pinned: z.boolean(),
  excluded: z.boolean(),
  rating: ratingSchema.nullable(),
}

const roles = z.enum(['system', 'user', 'assistant'])

export const messageSchema = z
  .union([
    z.object({
      ...common,
      kind: z.literal('message'),
      role: roles,
      parts: partsSchema,
      status: z.enum(['complete', 'aborted']),
    }),
    z.object({
      ...common,
      kind: z.literal('result'),
      role: z.literal('tool'),
      call_id: z.string(),
      state: z.enum(['ok', 'error']),
      parts: outputSchema,
    }),
    z.object({ ...common, kind: z.literal('summary'), parts: partsSchema, until_id: id }),
    z.object({ ...common, kind: z.literal('note'), label: z.string(), data: z.unknown() }),
  ])
  .meta({ id: 'Message', description: 'One entry of the log: a message, a result, a summary or a note' })

export interface Marks {
  readonly pinned: boolean
  readonly excluded: boolean
  readonly rating: z.output<typeof ratingSchema> | null
}

export const unmarked: Marks = { pinned: false, excluded: false, rating: null }

export function messageToWire(entry: Entry, { pinned, excluded, rating }: Marks): z.output<typeof messageSchema> {
  return {
    id: entry.id,
    seq: entry.seq,
    parent_id: entry.parent,
    depth: entry.depth,
    text: entry.text,
    tokens: entry.tokens,
    total_tokens: entry.total,
    at: entry.at,
    author: entry.author ?? null,
    model: entry.model ?? null,
    meta: entry.meta ?? {},
    redacted: entry.redacted,
    pinned,
    excluded,
    rating,
    ...saidIn(entry.body),
  } as z.output<typeof messageSchema>
}

function saidIn(body: Body): object {
  if (body.kind === 'message') return body
  if (body.kind === 'note') return { ...body, data: body.data ?? null }
  if (body.kind === 'summary') return { kind: 'summary', parts: body.parts, until_id: body.until }
  return { kind: 'result', role: 'tool', call_id: body.callId, state: body.state, parts: body.output }
}

/** Role names are taken to the letter: nothing is trimmed, folded or guessed. */
const spoken = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool', 'system', 'orchestrator']),
  id: id.optional().describe('Chosen by the caller, so that a retry is known as one'),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
  parts: z.array(z.looseObject({ type: z.string() })).optional(),
  name: z.string().max(200).optional(),
  timestamp: instant.optional(),
  model: z.string().max(200).optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string().max(200) }))
    .max(200)
    .optional(),
  tool_call_id: z.string().min(1).max(200).optional(),
})

export const newMessage = z
  .union([z.string().min(1), spoken])
  .meta({ id: 'NewMessage', description: "A user's words, or a message with a role" })

export const appendedSchema = z
  .object({
    conversation_id: id,
    branch: z.string(),
    head_id: id,
    messages: z.array(messageSchema),
    repeated: z.boolean().describe('Nothing was written: all of it was there already'),
    warnings: z.array(issueSchema),
  })
  .meta({ id: 'Appended', description: 'What was written, and where the branch is now' })

const previewChars = 160

export const briefSchema = z
  .object({
    id,
    depth: z.int().describe('Position on its path, from 0'),
    kind: z.enum(['message', 'result', 'summary', 'note']),
    role: z.enum(['system', 'user', 'assistant', 'tool']).nullable(),
    at: instant,
    tokens: z.int(),
    preview: z.string().describe(`At most ${previewChars} characters`),
    pinned: z.boolean(),
    excluded: z.boolean(),
  })
  .meta({ id: 'Brief', description: 'A message in one line' })

export function briefOf(entry: Entry, { pinned, excluded }: Marks): z.output<typeof briefSchema> {
  const { id, depth, at, tokens, body, text } = entry
  const preview = beginningOf(text, previewChars)
  return { id, depth, kind: body.kind, role: wireRole(entry), at, tokens, preview, pinned, excluded }
}

/** Whole characters, however they are encoded. */
export const beginningOf = (text: string, chars: number): string =>
  [...text.slice(0, chars * 2)].slice(0, chars).join('')

export function wireRole({ body }: Entry): 'system' | 'user' | 'assistant' | 'tool' | null {
  if (body.kind === 'message') return body.role
  return body.kind === 'result' ? 'tool' : null
}
