/** Where the app is: a conversation, its branch, a message to go to and an answer to look into, or a page. All of it is in the address. */
import { useSyncExternalStore } from 'react'

const pages = ['memory', 'usage', 'models', 'tools', 'settings'] as const

export type PageName = (typeof pages)[number]

export interface Place {
  /** A page around the conversations; `missing` for an address that leads nowhere. */
  readonly page: PageName | 'missing' | null
  readonly conversation: string | null
  readonly branch: string
  readonly message: string | null
  /** The answer that is looked into, the tab, and the message to begin with. */
  readonly answer: string | null
  readonly tab: string | null
  readonly at: string | null
  /** The step of the guided demo. */
  readonly guide: string | null
}

const listen = (tell: () => void): (() => void) => {
  addEventListener('hashchange', tell)
  return () => removeEventListener('hashchange', tell)
}

export function usePlace(): Place {
  return placeIn(useSyncExternalStore(listen, () => location.hash))
}

export const placeNow = (): Place => placeIn(location.hash)

function placeIn(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [room, conversation, branch] = path.split('/').map(decoded)
  const isTalk = room === 'c' && Boolean(conversation)
  const asked = new URLSearchParams(query)
  return {
    page: isTalk || !room ? null : (pages.find((name) => name === room && !conversation) ?? 'missing'),
    conversation: isTalk && conversation ? conversation : null,
    branch: (isTalk && branch) || 'main',
    message: asked.get('m'),
    answer: asked.get('look'),
    tab: asked.get('tab'),
    at: asked.get('at'),
    guide: asked.get('guide'),
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

/** The same place but for what is given. */
export function placeWith(change: Partial<Place>): string {
  const { conversation, branch, message, answer, tab, at, guide } = { ...placeNow(), ...change }
  const asked = Object.entries({ m: message, look: answer, tab, at, guide }).flatMap(
    ([name, value]): [string, string][] => (value === null ? [] : [[name, value]]),
  )
  return `${addressOf(conversation, branch)}${asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`}`
}

export const rewrite = (change: Partial<Place>): void => {
  location.hash = placeWith(change)
}

/** Without a step in the browser's history, and without telling anyone. */
export const note = (change: Partial<Place>): void => history.replaceState(null, '', placeWith(change))

export const goToPage = (page: PageName): void => {
  location.hash = `#/${page}`
}
