/** Messages as a parameter: models pass a list as JSON or as a string of JSON. */
import { z } from 'zod'
import { wrong } from '../kit/refusal.js'

const message = z.union([z.string(), z.looseObject({ role: z.string() })])

export const messagesParameter = z
  .union([z.array(message).min(1).max(1_000), z.string()])
  .describe('[{role, content}, …] in any dialect, or the same as a JSON string')

export function messagesOf(given: z.output<typeof messagesParameter>): readonly unknown[] {
  if (typeof given !== 'string') return given
  const parsed = messagesParameter.safeParse(parse(given))
  if (!parsed.success || typeof parsed.data === 'string')
    throw wrong('messages', 'messages must be a list of messages, or a JSON string of one')
  return parsed.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
