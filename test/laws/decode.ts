/** Reads a text rendering back: what was written can be told apart, whatever the content says. */
import type { TextTarget } from '../../src/core/render/block.js'
import { assistant, gap, human } from '../../src/core/render/labels.js'
import { lineEnds, margin } from '../../src/core/render/lines.js'
import { numberedFrame, type Speaker } from '../../src/core/render/text-numbered.js'
import { taggedFrame } from '../../src/core/render/text-tagged.js'

export interface DecodedMessage {
  readonly speaker: Speaker | 'gap'
  readonly text: string
  /** As printed in the numbered section. */
  readonly time?: string
  readonly truncated?: boolean
}

export interface DecodedText {
  readonly messages: readonly DecodedMessage[]
  /** In the tagged prompt; the numbered section has it as its last message. */
  readonly current?: string
}

/** The inverse of an escaped rendering; undefined when the text is none. */
export function decode(target: TextTarget, text: string): DecodedText | undefined {
  if (text === '') return { messages: [] }
  return target === 'text-tagged' ? decodeTagged(text) : decodeNumbered(text)
}

function decodeTagged(text: string): DecodedText | undefined {
  const { open, close, ask } = taggedFrame
  if (!text.startsWith(open)) return { messages: [], current: text }
  const end = text.indexOf(close(0, 0))
  if (end === -1) return undefined
  const messages = taggedMessages(text.slice(open.length, end))
  const rest = text.slice(end + close(0, 0).length)
  if (!messages || (rest !== '' && !rest.startsWith(ask))) return undefined
  return rest === '' ? { messages } : { messages, current: rest.slice(ask.length) }
}

function taggedMessages(body: string): readonly DecodedMessage[] | undefined {
  if (body === '') return []
  const messages: { speaker: Speaker | 'gap'; lines: string[] }[] = []
  for (const line of body.slice(0, -1).split('\n')) {
    if (line.startsWith(human)) messages.push({ speaker: 'user', lines: [line.slice(human.length)] })
    else if (line.startsWith(assistant)) messages.push({ speaker: 'assistant', lines: [line.slice(assistant.length)] })
    else if (line.startsWith(gap)) messages.push({ speaker: 'gap', lines: [line.slice(gap.length, -1)] })
    else if (messages.length === 0) return undefined
    else messages.at(-1)?.lines.push(line)
  }
  return messages.map(({ speaker, lines }) => ({ speaker, text: unescapeContent(lines.join('\n')) }))
}

const header = /^\[(\d+)\] (?:(?:👤|🤖|🎯|💬) )?(User|Assistant|Orchestrator|System) \(([^()]*)\)( \[TRUNCATED\])?:$/u
const footer = /\n(?:📊 )?History metadata: \d+ messages(?:, \d+ truncated \(user messages kept concise\))?\n$/u

function decodeNumbered(text: string): DecodedText | undefined {
  const open = [numberedFrame('emoji').open, numberedFrame('plain').open].find((start) => text.startsWith(start))
  const end = footer.exec(text)
  if (open === undefined || !end) return undefined
  const messages: DecodedMessage[] = []
  let number = 0
  for (const block of blocks(text.slice(open.length, end.index))) {
    const [first = '', ...rest] = block
    const head = header.exec(first)
    if (!head && !(first.startsWith('(') && block.at(-1)?.endsWith(')'))) return undefined
    if (!head) messages.push({ speaker: 'gap', text: unindent(margin + block.join('\n').slice(1, -1)) })
    else {
      if (Number(head[1]) !== ++number) return undefined
      const speaker = (head[2] as string).toLowerCase() as Speaker
      const content = unindent(rest.join('\n'))
      messages.push({ speaker, text: content, time: head[3] as string, truncated: head[4] !== undefined })
    }
  }
  return { messages }
}

/** Lines in groups; only what begins at the first column begins a group. */
function blocks(body: string): readonly (readonly string[])[] {
  const groups: string[][] = []
  for (const line of body.split('\n')) {
    if (line.startsWith(margin) && groups.length > 0) groups.at(-1)?.push(line)
    else if (line !== '') groups.push([line])
  }
  return groups
}

const unindent = (value: string): string =>
  value.slice(margin.length).replace(new RegExp(`(${lineEnds.source}) {4}`, 'g'), '$1')

const unescapeContent = (value: string): string =>
  value.replace(/&(?:amp|lt|gt|#(\d+));/g, (entity, code: string | undefined) =>
    code ? String.fromCharCode(Number(code)) : entity === '&amp;' ? '&' : entity === '&lt;' ? '<' : '>',
  )
