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
