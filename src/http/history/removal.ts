import type { z } from 'zod'
import type { Removal } from '../../store/contract/upkeep.js'
import type { removalSchema } from '../schemas/common.js'

export const removalOf = ({ conversation, entry, removed }: Removal): z.output<typeof removalSchema> => ({
  conversation_id: conversation,
  message_id: entry,
  removed,
})
