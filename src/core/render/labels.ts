/** The words that begin a message in tagged text, and what keeps content from saying them. */
import { unitsFromEnd } from '../message/text.js'
import { lineEnd } from './lines.js'

export const human = 'Human: '
export const assistant = 'Assistant: '
export const gap = '[Gap: '

const unseen =
  '[\\s\\p{Cc}\\p{Cf}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\u{e0100}-\\u{e01ef}]'
const label = new RegExp(`(?:human|assistant|\\[gap)(${unseen}*):`, 'giu')
const special = new RegExp(`[&<>]|${lineEnd.source}`)
const isUnseen = new RegExp(`^${unseen}$`, 'u')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Content that can neither open nor close a tag nor begin a line like a speaker. */
export function escapeContent(value: string): string {
  if (!special.test(value)) return value
  const tagless = value.replace(/[&<>]/g, (char) => entities[char] ?? char)
  return tagless.replace(label, (match, _, offset: number) =>
    beginsLine(tagless, offset) ? `${match.slice(0, -1)}&#58;` : match,
  )
}

/** Content on one line, so that a mark can close its bracket there. */
export const escapeMark = (value: string): string =>
  escapeContent(value).replace(new RegExp(lineEnd, 'g'), (char) => `&#${char.charCodeAt(0)};`)

/** Looks back over what a reader does not see; the first line stands behind its speaker. */
function beginsLine(value: string, offset: number): boolean {
  for (let end = offset; end > 0; ) {
    const start = unitsFromEnd(value.slice(Math.max(0, end - 2), end), 1) + Math.max(0, end - 2)
    const char = value.slice(start, end)
    if (lineEnd.test(char)) return true
    if (!isUnseen.test(char)) return false
    end = start
  }
  return false
}
