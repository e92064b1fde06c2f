/** What many schemas are made of. */
import { z } from 'zod'
import { recallFroms } from '../../engine/window/partial.js'
import type { Removal } from '../../store/contract/upkeep.js'

export const id = z.string().min(1).max(200)
export const conversation_id = id.describe('The id of a conversation')
export const message_id = id.describe('The id of a message')
export const instant = z.string().max(100).describe('ISO 8601')

/** Small facts of the caller's own. */
export const meta = z.record(z.string().max(200), z.unknown())

/** How far windows look beyond a conversation. */
export const recallSchema = z.enum(recallFroms)

export const paging = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional().describe('`next_cursor` of the page before'),
}

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })

export const issueSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    field: z.string().optional(),
    reason: z.string().optional(),
    value: z.unknown().optional(),
    type: z.string().optional(),
    severity: z.enum(['low', 'medium', 'high']).optional(),
    suggestion: z.string().optional(),
  })
  .meta({ id: 'Issue', description: 'A warning, or a reason' })

export const removalSchema = z
  .object({
    conversation_id: id,
    message_id: id.nullable(),
    removed: z.record(z.string(), z.int()).describe('How many of what'),
  })
  .meta({ id: 'Removal', description: 'What was removed, and where' })

export const removalToWire = ({ conversation, entry, removed }: Removal): z.output<typeof removalSchema> => ({
  conversation_id: conversation,
  message_id: entry,
  removed,
})
