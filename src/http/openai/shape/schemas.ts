/** What many requests of the OpenAI surface have. Fields that are not known here are let through and ignored. */
import { z } from 'zod'

export const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'at most 16 pairs')

/** Of any type: those that are not known are kept as they are. */
export const item = z.looseObject({ type: z.string().max(100).optional() })

/** More of each item than is usual: all that is known is told anyway. */
export const include = { 'include[]': z.array(z.string().max(100)).optional() }

export const listQuery = z.strictObject({
  ...include,
  after: z.string().min(1).max(300).optional().describe('The id of the last item of the page before'),
  limit: z.int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
})

export const listSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'OpenaiItemList', description: 'A page of items' })

export const itemSchema = z.looseObject({ id: z.string(), type: z.string() }).meta({
  id: 'OpenaiItem',
  description: 'A message, a call, its output, reasoning, or anything else that was put there',
})

/** Unix seconds, as OpenAI has them. */
export const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1_000)
