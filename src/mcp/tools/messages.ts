/** Messages as a parameter: models pass a list as JSON or as a string of JSON. */
import { z } from 'zod'
import { invalidInput } from '../../operations/refusals.js'

const message = z.union([z.string(), z.looseObject({ role: z.string() })])

export const messagesParameter = z
  .union([z.array(message).min(1).max(1_000), z.string()])
  .describe('[{role, content}, …], or the same as a JSON string')

/** What is not a list is refused by the operation. */
export function messagesOf(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    throw invalidInput('messages', 'messages must be a list of messages, or a JSON string of one')
  }
}
