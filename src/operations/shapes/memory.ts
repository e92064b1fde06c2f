/** A memory on the wire. */
import { z } from 'zod'
import { type Memory, memoryChars } from '../../recall/memories.js'
import { id, instant } from './common.js'

/** `profile`: who someone is and what they always want; `semantic`: a fact; `episodic`: what happened; `derived`: what follows. */
export const memoryKind = z.enum(['profile', 'semantic', 'episodic', 'derived'])

export const memoryText = z
  .string()
  .min(1)
  .max(memoryChars * 2)

export const memoryShape = z
  .object({
    id,
    kind: memoryKind,
    text: z.string(),
    source: z.object({ conversation_id: id, message_id: id }).nullable().describe('The message it was taken from'),
    author: z.string(),
    created_at: instant,
    updated_at: instant,
    revision: z.int(),
  })
  .meta({ id: 'Memory', description: 'Something known beyond one conversation' })

export const memoryToWire = ({ source, createdAt, updatedAt, ...memory }: Memory): z.output<typeof memoryShape> => ({
  ...memory,
  source: source && { conversation_id: source.conversation, message_id: source.entry },
  created_at: createdAt,
  updated_at: updatedAt,
})
