/** System messages at the head of the caller's own list: they are the system prompt. */
import { decode } from '../message/dialects/decode.js'
import { isBlank } from '../message/text.js'
import type { Input } from './assemble.js'
import { textOf } from './clip.js'
import type { Plan } from './walk.js'

export interface Leading {
  /** How many messages they are. */
  readonly count: number
  readonly system: string | undefined
}

/** Null where a getter or a proxy throws. */
function read(message: unknown): ReturnType<typeof decode> | null {
  try {
    return decode(message)
  } catch {
    return null
  }
}

export function leadingOf(given: Input, messages: readonly unknown[], { policy }: Plan): Leading {
  const said: string[] = given.system === undefined || isBlank(given.system) ? [] : [given.system]
  let count = 0
  while (policy.intake.system === 'prompt' && count < messages.length) {
    const decoded = read(messages[count])
    if (!decoded?.ok || decoded.role !== 'system' || decoded.results.length > 0) break
    const words = textOf({ role: 'system', parts: decoded.parts })
    if (!isBlank(words)) said.push(words)
    count++
  }
  return { count, system: count === 0 ? given.system : said.join('\n\n') }
}
