import { z } from 'zod'
import type { ModelListing } from '../../models/wire/contract.js'

export const modelSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    kind: z.enum(['builtin', 'local', 'hosted']),
    ai: z.boolean().describe('Whether it is one: `builtin` is not'),
    window: z.int(),
    ready: z.boolean(),
    note: z.string().optional(),
  })
  .meta({ id: 'Model', description: 'Something that answers' })

export const modelOf = (listing: ModelListing): z.output<typeof modelSchema> => ({
  id: listing.id,
  label: listing.label,
  kind: listing.kind,
  ai: listing.kind !== 'builtin',
  window: listing.window,
  ready: listing.ready,
  ...(listing.note === undefined ? null : { note: listing.note }),
})
