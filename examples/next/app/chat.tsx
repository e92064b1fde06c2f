'use client'
import { useChat } from '@ai-sdk/react'
import type { UIMessage } from 'ai'

export function Chat({ id, initial }: { id: string; initial: UIMessage[] }) {
  const { messages, sendMessage, status } = useChat({ id, messages: initial, resume: true })
  return (
    <main>
      {messages.map((message) => (
        <p key={message.id}>
          <b>{message.role === 'user' ? 'You' : 'Answer'}</b>{' '}
          {message.parts.map((part) => (part.type === 'text' ? part.text : null))}
        </p>
      ))}
      <form action={(form) => void sendMessage({ text: String(form.get('text')) })}>
        <input name="text" aria-label="Message" disabled={status === 'streaming'} required />
        <button type="submit">Send</button>
      </form>
    </main>
  )
}
