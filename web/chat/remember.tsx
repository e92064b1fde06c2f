/** Keeps what a message says beyond its conversation: the words that are marked in it, or all of it. */
import { useRef, useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { api } from '../api.js'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import { useScreen } from './context.js'

/** What a note may hold. */
const most = 2_000

export function Remember({ message }: { readonly message: Message }) {
  const { chat } = useScreen()
  const [done, setDone] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (done)
    return (
      <a className="action" href="#/memory">
        {words.remembered}
      </a>
    )
  const keep = async (): Promise<void> => {
    const text = [...(markedIn(button.current?.closest('article')) || message.text)].slice(0, most).join('')
    await api.memories.add({ kind: 'semantic', text, conversation_id: chat.id, message_id: message.id })
    setDone(true)
  }
  return (
    <button
      ref={button}
      type="button"
      className="action"
      onClick={() => void keep().catch((error: unknown) => chat.state.set({ error }))}
    >
      <Icon name="keep" /> <span className="word">{words.remember}</span>
    </button>
  )
}

function markedIn(article: Element | null | undefined): string {
  const marked = getSelection()
  const isHere = article && marked && !marked.isCollapsed && article.contains(marked.anchorNode)
  return isHere ? marked.toString().trim() : ''
}
