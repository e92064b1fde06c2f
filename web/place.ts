/** Where the app is: the conversation, its branch, a message to go to. All of it stands in the address. */
import { useSyncExternalStore } from 'react'

export interface Place {
  readonly conversation: string | null
  readonly branch: string
  readonly message: string | null
}

const listen = (tell: () => void): (() => void) => {
  addEventListener('hashchange', tell)
  return () => removeEventListener('hashchange', tell)
}

export function usePlace(): Place {
  return placeIn(useSyncExternalStore(listen, () => location.hash))
}

function placeIn(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [room, conversation, branch] = path.split('/').map(decoded)
  const none = room !== 'c' || !conversation
  return {
    conversation: none ? null : conversation,
    branch: branch || 'main',
    message: new URLSearchParams(query).get('m'),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function addressOf(conversation: string | null, branch = 'main', message?: string): string {
  if (conversation === null) return '#/'
  const place = `#/c/${encodeURIComponent(conversation)}${branch === 'main' ? '' : `/${encodeURIComponent(branch)}`}`
  return message === undefined ? place : `${place}?m=${encodeURIComponent(message)}`
}

export const goTo = (conversation: string | null, branch?: string, message?: string): void => {
  location.hash = addressOf(conversation, branch, message)
}
