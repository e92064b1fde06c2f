import type { z } from 'zod'
import type { removalSchema } from '../../operations/shapes/common.js'
import type { Removal } from '../../store/contract/upkeep.js'

export const removalOf = ({ conversation, entry, removed }: Removal): z.output<typeof removalSchema> => ({
  conversation_id: conversation,
  message_id: entry,
  removed,
})
