/** The items of a window for a reader at a terminal. */

import type { Part } from '../core/message/item.js'
import type { WindowItem } from '../core/window/assemble.js'
import type { Reply } from './answer.js'
import { number, type Paint, printable, short } from './kit/term.js'

/** A longer text is cut here, on the screen only. */
const tall = 14

export function windowText(said: Extract<Reply, { readonly ok: true }>, width: number, paint: Paint): string {
  if (typeof said.rendered === 'string') return said.rendered
  return said.items.map((item) => [title(item, width, paint), ...body(item, width)].join('\n')).join('\n')
}

function title({ index, role, author, fate, tokens }: WindowItem, width: number, paint: Paint): string {
  const who = `${index === null ? '' : `${index} `}${author ?? role}`
  const line = `── ${who} · ${fate} · ${number(tokens)} tokens `
  return paint.dim(line.padEnd(width, '─'))
}

function body({ parts }: WindowItem, width: number): string[] {
  const lines = parts.flatMap((part) => partLines(part, width))
  if (lines.length <= tall) return lines
  return [
    ...lines.slice(0, tall - 4),
    `   ⋮ ${lines.length - tall + 1} more lines (--json has them)`,
    ...lines.slice(-3),
  ]
}

function partLines(part: Part, width: number): string[] {
  if (part.type === 'text') return textLines(part.text, width)
  if (part.type === 'think') return textLines(`(thinking) ${part.text}`, width)
  if (part.type === 'file') return [`[${part.name ?? part.mediaType}]`]
  const called = `→ ${part.name}(${short(JSON.stringify(part.input) ?? '', width - part.name.length - 5)})`
  if (part.outcome.state === 'pending') return [called, '  (no result)']
  const output = part.outcome.output.map((one) => (one.type === 'text' ? one.text : `[${one.mediaType}]`)).join('\n')
  return [called, ...textLines(output, width - 2).map((line) => `  ${line}`)]
}

const textLines = (text: string, width: number): string[] =>
  printable(text)
    .split('\n')
    .map((line) => ([...line].length > width ? `${[...line].slice(0, width - 1).join('')}…` : line))
