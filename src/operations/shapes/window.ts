/** Windows on the wire: how one is asked for, and what it is. */
import { z } from 'zod'
import { targets } from '../../core/message/target.js'
import { id, issueSchema, recallSchema } from './common.js'
import { partsSchema } from './part.js'
import { receiptSchema } from './receipt.js'

const overrides = z.record(z.string().max(64), z.unknown())

const ids = z.array(id).max(1_000)

export const marksSchema = z
  .strictObject({ pinned: ids.optional(), excluded: ids.optional(), whole: ids.optional() })
  .describe('For this window in the place of the marks that are kept with the conversation')

export const assembleBody = z
  .strictObject({
    conversation_id: id.optional(),
    branch: z.string().min(1).max(200).optional(),
    messages: z.array(z.unknown()).max(10_000).optional().describe('Instead of a conversation: in any dialect'),
    current: z.unknown().optional().describe('The message to answer'),
    system: z.string().max(100_000).optional(),
    tools: z.array(z.unknown()).max(1_000).optional(),
    policy: z.string().min(1).max(64).optional(),
    overrides: overrides.optional().describe('Fields of the policy to change'),
    recall: recallSchema.optional().describe('How far to look beyond the conversation'),
    marks: marksSchema.optional(),
    compat: z.literal('literal').optional(),
    budget: z.int().min(0).max(100_000_000).optional().describe('Tokens of the window'),
    model: z.string().min(1).max(200).optional(),
    target: z.enum(targets).optional(),
    risks: z.boolean().optional().describe('Name what stands only in what is left out'),
  })
  .refine((body) => (body.conversation_id === undefined) !== (body.messages === undefined), {
    path: ['conversation_id'],
    message: 'give either conversation_id or messages',
  })

const itemSchema = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    parts: partsSchema,
    id: z.string().optional(),
    author: z.string().optional(),
    at: z.string().optional(),
    model: z.string().optional(),
    pinned: z.boolean().optional(),
    mark: z.enum(['gap', 'cue', 'summary', 'recall']).optional(),
    clipped: z.boolean().optional(),
    index: z.int().nullable(),
    text: z.string(),
    fate: z.string(),
    rule: z.string(),
    tokens: z.number(),
  })
  .meta({ id: 'WindowItem', description: 'A message of the window, and where it came from' })

export const windowSchema = z
  .object({
    request: z.unknown().describe('As it would go out: JSON in the form of the target, or text'),
    items: z.array(itemSchema),
    receipt: receiptSchema,
    explanation: z.string(),
    warnings: z.array(issueSchema),
    head_id: id.nullable(),
  })
  .meta({ id: 'Window', description: 'What a model would get' })
