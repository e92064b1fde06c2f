/** How a recalled message is written: who said it and where it stands, its other lines behind a margin. */

import { wellFormed } from '../message/text.js'
import { lineEnd, lineEnds } from '../render/lines.js'
import type { Recalled } from './recall.js'

/** Empty when neither the day nor the place is known. */
export function headingOf({ at, from }: Recalled): string {
  const facts = [
    ...(from === undefined ? [] : [`from: ${titled(from)}`]),
    ...(at !== undefined && /^\d{4}-\d\d-\d\d/.test(at) ? [at.slice(0, 10)] : []),
  ]
  return facts.length > 0 ? `(${facts.join(', ')})` : ''
}

export const quoteBlock = ({ role, place }: Recalled, words: string): string =>
  `${place === undefined ? '' : `${place + 1} `}${role}: ${behindMargin(words)}`

const near = ' '
/** What reads like a line of ours stands far from the margin. */
const far = '     '
const ours = /^\s*(?:\(|\[(?!…\])|(?:\d+ )?(?:system|user|assistant|tool|memory):)/i

/** No content can begin another block. One space costs no token, more of them do. */
function behindMargin(words: string): string {
  return words.replace(lineEnds, (end, at: number) => {
    const line = words.slice(at + end.length, at + end.length + 40)
    if (line === '' || lineEnd.test(line[0] as string)) return end
    return end + (ours.test(line) ? far : near)
  })
}

const titled = (from: string): string => {
  const line = wellFormed(from)
    .replace(/[\s()\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
  return line === '' ? 'another conversation' : [...line].slice(0, 80).join('')
}
