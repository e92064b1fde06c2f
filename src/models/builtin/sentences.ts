/** The sentences of a window, each a piece of its message to the letter. */

import { isBlank } from '../../core/message/text.js'
import type { WindowItem } from '../../core/window/assemble.js'
import { extractiveId, isOwnAnswer } from './phrases.js'

export interface Source {
  readonly item: WindowItem
  /** Who said it. */
  readonly voice: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Counted from the oldest. */
  readonly order: number
  /** Written by this very responder: nothing new stands there. */
  readonly own: boolean
}

export interface Sentence {
  readonly source: Source
  readonly text: string
}

/** What was said before the current message, oldest first. */
export function sourcesOf(items: readonly WindowItem[]): Source[] {
  const sources: Source[] = []
  const add = (item: WindowItem, voice: Source['voice'], text: string) => {
    if (isBlank(text)) return
    const own = voice === 'assistant' && (item.model === extractiveId || isOwnAnswer(text))
    sources.push({ item, voice, text, order: sources.length, own })
  }
  for (const item of items) {
    if (item.mark === 'recall') {
      for (const { voice, text } of recalledIn(item)) add(item, voice, text)
      continue
    }
    if (item.fate === 'marker' || item.role === 'system') continue
    for (const part of item.parts) {
      if (part.type === 'text') add(item, item.role === 'user' ? 'user' : 'assistant', part.text)
      if (part.type === 'file' && part.source.kind === 'text') add(item, 'tool', part.source.text)
      if (part.type !== 'call' || part.outcome.state === 'pending') continue
      for (const output of part.outcome.output) if (output.type === 'text') add(item, 'tool', output.text)
    }
  }
  return sources
}

const abbreviated = /(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Inc|Ltd|approx)\.$/
const stops = new Set([...'.!?…'].map((mark) => mark.charCodeAt(0)))
const wideStops = new Set([...'。！？'].map((mark) => mark.charCodeAt(0)))
const closers = new Set([...'"\'”’)]'].map((mark) => mark.charCodeAt(0)))
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13 || code === 0xa0

export function sentencesIn(source: Source): Sentence[] {
  const { text } = source
  const out: Sentence[] = []
  let from = 0
  const add = (to: number) => {
    const piece = text.slice(from, to).trim()
    if (piece !== '' && !isBlank(piece)) out.push({ source, text: piece })
    from = to
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || wideStops.has(code)) add(at + 1)
    else if (stops.has(code)) {
      // the closing quote belongs to the sentence
      let end = at + 1
      while (closers.has(text.charCodeAt(end))) end++
      if (!isSpace(text.charCodeAt(end)) || isAbbreviation(text, at)) continue
      add(end)
      at = end - 1
    }
  }
  add(text.length)
  return out
}

const isAbbreviation = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 46 && abbreviated.test(text.slice(Math.max(0, at - 8), at + 1))

const block = /^(?:\d+ )?(user|assistant|tool|memory): (.*)$/

/** What was recalled stands in one item: a line of ours before each conversation, then who said what. */
function recalledIn({ parts }: WindowItem): { readonly voice: Source['voice']; readonly text: string }[] {
  const said: { readonly voice: Source['voice']; text: string }[] = []
  for (const line of parts.flatMap((part) => (part.type === 'text' ? part.text.split('\n').slice(1) : []))) {
    const [, who, words = ''] = block.exec(line) ?? []
    const voice = who === 'assistant' || who === 'tool' ? who : 'user'
    const last = said.at(-1)
    if (who !== undefined) said.push({ voice, text: words })
    else if (last && line.startsWith(' ')) last.text += `\n${line.trimStart()}`
  }
  return said
}
