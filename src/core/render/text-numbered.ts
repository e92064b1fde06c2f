/** The numbered section of specification 0. */
import type { Item } from '../message/item.js'
import { isBlank, unitsOf, wellFormed } from '../message/text.js'
import type { Style, Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'
import { plainText } from '../window/mend/plain.js'
import type { Frame } from './frame.js'
import { indent, margin } from './lines.js'

export type Speaker = 'user' | 'assistant' | 'orchestrator' | 'system'

export const emojis: Readonly<Record<Speaker, string>> = {
  user: '👤',
  assistant: '🤖',
  orchestrator: '🎯',
  system: '💬',
}

const introduction = `The orchestrator had the following conversation before creating this task.
This provides context for WHY this task exists and WHAT the user wants.`

export function numberedFrame(section: Style['section']): Frame {
  const emoji = section === 'emoji'
  return {
    open: `\n${emoji ? '💬 ' : ''}CONVERSATION HISTORY (Leading to This Task):\n\n${introduction}\n\n`,
    between: '\n',
    close: (messages, clipped) => {
      const shortened = clipped > 0 ? `, ${clipped} truncated (user messages kept concise)` : ''
      return `\n${emoji ? '📊 ' : ''}History metadata: ${messages} messages${shortened}\n`
    },
    ask: '',
  }
}

/** A message's block ends its last line; a mark has no number and, unlike content, no margin. */
export function numberedBlock(item: Item, style: Style, index: number): string {
  const said = plainText(item, style.think)
  if (said === '') return ''
  const body = style.escape ? indent(said) : margin + said
  if (item.mark) return `(${body.slice(margin.length)})\n`
  const speaker = speakerOf(item)
  const emoji = style.section === 'emoji' ? `${emojis[speaker]} ` : ''
  // who is none of the three is named as they are
  const who = style.names && speaker === 'system' && item.author ? harmless(item.author, speaker) : speaker
  const name = who.charAt(0).toUpperCase() + who.slice(1).toLowerCase()
  return `[${index}] ${emoji}${name} (${clockOf(item.at)})${item.clipped ? ' [TRUNCATED]' : ''}:\n${body}\n`
}

export function writeTextNumbered(mended: Mended, window: Window): string {
  if (mended.items.length === 0) return ''
  const { open, between, close } = numberedFrame(window.style.section)
  let messages = 0
  let clipped = 0
  const blocks = mended.items.map((item) => {
    if (!item.mark) messages++
    if (!item.mark && item.clipped) clipped++
    return numberedBlock(item, window.style, messages)
  })
  return open + blocks.join(between) + close(messages, clipped)
}

export function speakerOf(item: Item): Speaker {
  return item.role === 'assistant' && item.author === 'orchestrator' ? 'orchestrator' : item.role
}

const iso = /^\d{4}-(\d\d)-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** The time of day as written; what is no ISO time is shown as one harmless line. */
export function clockOf(at: string | undefined): string {
  if (at === undefined) return 'unknown time'
  const [found, month = '', day = '', hour = '00', minute = '00', second = '00'] = iso.exec(at) ?? []
  const real =
    found && +month >= 1 && +month <= 12 && +day >= 1 && +day <= 31 && +hour < 24 && +minute < 60 && +second < 60
  return real ? `${hour}:${minute}:${second}` : harmless(at, 'unknown time')
}

function harmless(value: string, otherwise: string): string {
  const line = wellFormed(value)
    .replace(/[\s()\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return isBlank(line) ? otherwise : line.slice(0, unitsOf(line, 40)).trim()
}
