/** What fits into an answer: about 8,000 tokens, in bytes, and a word where something is missing. */
import { byteLength } from '../../core/message/text.js'

export const room = 32_000

interface Clipped {
  readonly text: string
  readonly cut: boolean
}

/** The beginning of a text; the rest is announced, with a hint where to find it. */
export function clipText(text: string, most: number, more = ''): Clipped {
  if (text.length * 3 <= most || byteLength(text) <= most) return { text, cut: false }
  const left = (kept: string): string =>
    `${kept}\n[cut: ${text.length - kept.length} more characters${more && `; ${more}`}]`
  return { text: left(head(text, most)), cut: true }
}

/** So many bytes of a text, and no half of a pair. */
function head(text: string, most: number): string {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += byteLength(char)
    if (bytes > most) break
    end += char.length
  }
  return text.slice(0, end)
}

interface Fitted<T> {
  readonly items: readonly T[]
  /** Items that did not fit. */
  readonly left: number
}

/** As many items from the front as fit; always one. */
export function fitItems<T>(items: readonly T[], most = room): Fitted<T> {
  let bytes = 0
  const beyond = items.findIndex((item, at) => {
    bytes += byteLength(JSON.stringify(item) ?? '') + 1
    return bytes > most && at > 0
  })
  return beyond === -1 ? { items, left: 0 } : { items: items.slice(0, beyond), left: items.length - beyond }
}

/** JSON that is too large for an answer becomes its own beginning, as text. */
export function sized(value: unknown, most: number, more = ''): unknown {
  const json = JSON.stringify(value) ?? 'null'
  return json.length * 3 <= most || byteLength(json) <= most ? value : clipText(json, most, more).text
}
