/** The tagged prompt of specification 3. */
import type { Item } from '../message/item.js'
import type { Style, Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'
import { plainText } from '../window/mend/plain.js'
import { currentItem, type Frame } from './frame.js'
import { assistant, escapeContent, escapeMark, gap, human } from './labels.js'

export const taggedFrame: Frame = {
  open: '<conversation_history>\n',
  between: '',
  close: () => '</conversation_history>',
  ask: '\n\nContinue the conversation. The human says:\n',
}

export function taggedBlock(item: Item, style: Style): string {
  const said = plainText(item, style.think)
  if (said === '') return ''
  if (item.mark) return `${gap}${style.escape ? escapeMark(said) : said}]\n`
  return `${item.role === 'user' ? human : assistant}${style.escape ? escapeContent(said) : said}\n`
}

export function writeTextTagged(mended: Mended, window: Window): string {
  const { open, close, ask } = taggedFrame
  const { style } = window
  const current = currentItem(mended, window)
  const message = current && plainText(current, style.think)
  const history = current ? mended.items.slice(0, -1) : mended.items
  const body = history.map((item) => taggedBlock(item, style)).join('')
  if (body === '' && message === undefined) return ''
  if (body === '' && message !== undefined && !(style.escape && imitates(message))) return message
  return open + body + close(0, 0) + (message === undefined ? '' : ask + message)
}

/** A message that looks like a prompt with history gets an empty history in front. */
const imitates = (message: string): boolean => /^[\s\u200b-\u200f\u2060\ufeff]*<conversation_history/i.test(message)
