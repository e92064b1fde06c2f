/** A route of the OpenAI surface: under `/v1`, with its errors. */
import type { z } from 'zod'
import { type Definition, type Route, route } from '../../kit/route.js'
import { openaiEnvelope } from './envelope.js'

export const openaiRoute = <
  const P extends string,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(
  definition: Omit<Definition<P, Q, B>, 'tag' | 'envelope'>,
): Route => route<P, Q, B>({ ...definition, tag: 'openai', envelope: openaiEnvelope })

/** Images and files stand in the body. */
export const bodyBytes = 32 * 1024 * 1024
