/** A raw message as plain words, whatever its dialect. */
import { decode } from '../../core/message/dialects/decode.js'
import { speakerOf } from '../../core/render/text-numbered.js'
import { plainText } from '../../core/window/mend/plain.js'

export interface Handed {
  readonly speaker: string
  readonly text: string
}

/** Null for what is no message, or says nothing. */
export function saidInMessage(message: unknown): Handed | null {
  const decoded = decode(message)
  if (!decoded.ok || decoded.role === 'system') return null
  const text = plainText(decoded, 'drop')
  return text === '' ? null : { speaker: speakerOf(decoded), text }
}

/** The content as it was given, before anything was cut off it. */
export function contentOf(message: unknown): string {
  const { content } = (message ?? {}) as { readonly content?: unknown }
  if (typeof content === 'string') return content
  if (content === undefined || content === null || Array.isArray(content)) return textOf(message)
  return typeof content === 'object' ? JSON.stringify(content) : String(content)
}

function textOf(message: unknown): string {
  const decoded = decode(message)
  if (!decoded.ok) return ''
  return decoded.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
