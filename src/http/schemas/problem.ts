import { z } from 'zod'

export const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    errors: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          reason: z.string().optional(),
          value: z.unknown().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457; `code` is stable, `errors` names the fields.' })
