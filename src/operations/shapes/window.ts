/** Windows on the wire: how one is asked for, and what it is. */
import { z } from 'zod'
import { id, issueSchema } from './common.js'
import { partsSchema } from './part.js'
import { receiptSchema } from './receipt.js'

const ids = z.array(id).max(1_000)

export const marksSchema = z
  .strictObject({ pinned: ids.optional(), excluded: ids.optional(), whole: ids.optional() })
  .describe('For this window in the place of the marks that are kept with the conversation')

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
