/** Refusals of a message; the value shown is a copy. */

import type { Refused } from './decode.js'
import { jsonData } from './plain.js'
import { newSink, typeName } from './read.js'

export function refuse(code: Refused['code'], field: string, reason: string, value?: unknown): Refused {
  const shown = value === undefined ? undefined : jsonData(value, '', newSink())
  return { ok: false, code, field, reason, ...(shown === undefined ? {} : { value: shown }) }
}

export const noContent = (): Refused => refuse('no_content', 'content', 'A message has content')

export const badContent = (value: unknown, field = 'content'): Refused =>
  refuse('bad_content', field, `Content is a string or a list, not ${typeName(value)}`, value)
