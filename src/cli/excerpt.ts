/** What a shortened message looks like: the place of its cut, with the marker. */

import type { Part } from '../core/message/item.js'
import type { WindowItem } from '../core/window/assemble.js'
import { type Paint, short } from './kit/term.js'

/** One clipped message and one folded tool result, if there are any. */
export function excerpts(items: readonly WindowItem[], width: number, paint: Paint): string[] {
  return (['clipped', 'folded'] as const).flatMap((fate) => {
    for (const { index, fate: found, parts } of items) {
      const text = found === fate ? parts.map(textIn).find((said) => marker.test(said)) : undefined
      if (text !== undefined)
        return [paint.bold(`what ${fate} looks like, in message ${index}`), ...around(text, width, paint)]
    }
    return []
  })
}

const marker = /\[… [^\]]* …\]/

function around(text: string, width: number, paint: Paint): string[] {
  const { 0: mark, index } = marker.exec(text) as RegExpExecArray
  const [before, after] = [text.slice(0, index), text.slice(index + mark.length)]
  const bar = `  ${paint.dim('│')} `
  if (before.endsWith('\n'))
    return [lastLine(before, width - 4), paint.yellow(mark), firstLine(after, width - 4)].map((line) => bar + line)
  const room = Math.floor((width - mark.length - 6) / 2)
  return [`${bar}${lastLine(before, room)} ${paint.yellow(mark)} ${firstLine(after, room)}`]
}

function textIn(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type !== 'call' || part.outcome.state === 'pending') return ''
  return part.outcome.output.map((one) => (one.type === 'text' ? one.text : '')).join('\n')
}

function lastLine(text: string, most: number): string {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  return line.length > most ? `…${line.slice(1 - most)}` : line
}

const firstLine = (text: string, most: number): string => short(text.trimStart().split('\n')[0] ?? '', most)
