// A page with nothing but `useChat`: what an app on the AI SDK needs to talk to the service.
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const id = new URLSearchParams(location.search).get('id')
const tools = { look: { description: 'Looks.', inputSchema: { type: 'object', properties: {} } } }
const transport = new DefaultChatTransport({ api: '/api/chat', body: { tools } })

function Chat({ initial }) {
  const chat = useChat({
    id,
    messages: initial,
    resume: true,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall({ toolCall }) {
      const { toolCallId } = toolCall
      void chat.addToolOutput({ tool: 'look', toolCallId, output: { celsius: 21 } })
    },
  })
  const stop = async () => {
    await fetch(`/api/chat/${id}/stop`, { method: 'POST' })
    await chat.stop()
  }
  const send = (event) => {
    event.preventDefault()
    const field = event.target.elements.say
    void chat.sendMessage({ text: field.value })
    field.value = ''
  }
  return h('main', { 'data-status': chat.status }, [
    ...chat.messages.map((message) =>
      h('article', { key: message.id, id: message.id, className: message.role }, message.parts.map(shown)),
    ),
    h('form', { key: 'form', onSubmit: send }, h('input', { name: 'say', 'aria-label': 'Say' })),
    h('button', { key: 'stop', type: 'button', onClick: stop }, 'Stop'),
    h('button', { key: 'again', type: 'button', onClick: () => chat.regenerate() }, 'Again'),
    h('p', { key: 'error', role: 'alert' }, chat.error?.message),
  ])
}

function shown(part, key) {
  if (part.type === 'text') return h('p', { key }, part.text)
  return h('code', { key, 'data-type': part.type, 'data-state': part.state }, JSON.stringify(part))
}

const answer = await fetch(`/api/chat/${id}`)
const { messages } = answer.ok ? await answer.json() : { messages: [] }
createRoot(document.getElementById('root')).render(h(Chat, { initial: messages }))
