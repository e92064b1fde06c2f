/** Where the app is: a conversation, its branch and a message to go to, or a page. All of it stands in the address. */
import { useSyncExternalStore } from 'react'

const pages = ['usage', 'models'] as const

export type PageName = (typeof pages)[number]

export interface Place {
  /** A page around the conversations; `missing` for an address that leads nowhere. */
  readonly page: PageName | 'missing' | null
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
  const isTalk = room === 'c' && Boolean(conversation)
  return {
    page: isTalk || !room ? null : (pages.find((name) => name === room && !conversation) ?? 'missing'),
    conversation: isTalk && conversation ? conversation : null,
    branch: (isTalk && branch) || 'main',
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

export const goToPage = (page: PageName): void => {
  location.hash = `#/${page}`
}
