/** A decision about a message. Whoever shows that message on this page hears of it. */
import type { Message } from '../src/client/index.js'
import { api } from './api.js'

export interface Mark {
  readonly pinned?: boolean
  readonly excluded?: boolean
}

const name = 'throughline-marked'

export async function mark(conversation: string, message: string, change: Mark): Promise<void> {
  tellMark(conversation, await api.messages.mark(conversation, message, change))
}

interface Decision {
  readonly conversation: string
  readonly messages: readonly string[]
  readonly change: Mark
}

const decided = 'throughline-decided'

/** A decision that someone made on the screen, and can take back. */
export async function decide(conversation: string, messages: readonly string[], change: Mark): Promise<void> {
  for (const message of messages) await mark(conversation, message, change)
  const detail: Decision = { conversation, messages, change }
  dispatchEvent(new CustomEvent(decided, { detail }))
}

/** Hears of decisions, with the way back. */
export function heedDecisions(work: (change: Mark, count: number, undo: () => Promise<void>) => void): () => void {
  const heard = (event: Event): void => {
    const { conversation, messages, change } = (event as CustomEvent<Decision>).detail
    const back = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]))
    work(change, messages.length, async () => {
      for (const message of messages) await mark(conversation, message, back)
    })
  }
  addEventListener(decided, heard)
  return () => removeEventListener(decided, heard)
}

export const tellMark = (conversation: string, marked: Message): boolean =>
  dispatchEvent(new CustomEvent(name, { detail: { conversation, marked } }))

export function heedMarks(conversation: string, work: (marked: Message) => void): () => void {
  const heard = (event: Event): void => {
    const { detail } = event as CustomEvent<{ readonly conversation: string; readonly marked: Message }>
    if (detail.conversation === conversation) work(detail.marked)
  }
  addEventListener(name, heard)
  return () => removeEventListener(name, heard)
}
