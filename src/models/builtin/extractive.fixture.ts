/** Asks the built-in responder after a conversation: each line is a message, the last one the question. */

import type { WindowItem } from '../../core/window/assemble.js'
import { assemble } from '../../core/window/assemble.js'
import type { ModelEvent } from '../wire/contract.js'
import { extractive } from './answer.js'

export interface Said {
  readonly text: string
  readonly quotes: readonly string[]
  readonly entries: readonly string[]
  readonly events: readonly ModelEvent[]
  readonly items: readonly WindowItem[]
}

/** `u:` the user, `a:` the assistant; the ids are m0, m1 and so on. */
export async function ask(...lines: readonly string[]): Promise<Said> {
  const messages = lines.map((line, at) => ({
    id: `m${at}`,
    role: line.startsWith('a:') ? 'assistant' : 'user',
    content: line.slice(2).trim(),
  }))
  return askMessages(messages.slice(0, -1), messages.at(-1))
}

export async function askMessages(messages: readonly unknown[], current: unknown): Promise<Said> {
  const assembled = assemble({ messages, current }, 'balanced', { target: extractive.target })
  if (!assembled.ok) throw new Error(assembled.error.message)
  const { window, items } = assembled
  const events: ModelEvent[] = []
  const request = { window, items, signal: new AbortController().signal }
  for await (const event of extractive.stream(request)) events.push(event)
  const quoted = events.flatMap((event) => (event.type === 'quote' ? [event] : []))
  return {
    events,
    items,
    quotes: quoted.map(({ text }) => text),
    entries: quoted.map(({ entry }) => entry),
    text: events.map((event) => (event.type === 'text' || event.type === 'quote' ? event.text : '')).join(''),
  }
}
