/** The service, and the small things that this browser remembers. */
import { ApiError, type Client, openClient } from '../src/client/index.js'
import { forgetReads } from './offline.js'
import { strings } from './strings/pages.js'

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`throughline.${name}`)
  } catch {
    return null
  }
}

export const memory = {
  get: read,
  set(name: string, value: string | null): void {
    try {
      if (value === null || value === '') localStorage.removeItem(`throughline.${name}`)
      else localStorage.setItem(`throughline.${name}`, value)
    } catch {
      // a browser that keeps nothing still chats
    }
  },
}

const opened = (): Client => {
  const key = read('key')
  return openClient(key === null ? {} : { key })
}

export let api = opened()

/** Whoever comes with another key finds nothing of the one before. */
export function keepKey(key: string): void {
  if (key !== read('key')) forget()
  memory.set('key', key)
  api = opened()
}

export const hasKey = (): boolean => read('key') !== null

const looks = ['throughline.theme', 'throughline.language']

/** Drafts, searches, the key: all that this browser remembers but how it looks. */
export function forget(): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith('throughline.') && !looks.includes(name)) localStorage.removeItem(name)
    sessionStorage.clear()
    void forgetReads()
  } catch {
    // a browser that keeps nothing has nothing to forget
  }
}

/** Nothing of it stays on the page, in its address or behind it. */
export async function signOut(): Promise<void> {
  forget()
  await forgetReads()
  location.replace(`${location.pathname}#/`)
  location.reload()
}

/** What to tell a person about an error. */
export function told(error: unknown): string {
  if (ApiError.is(error)) return error.status === 0 ? strings.offline : error.message
  return error instanceof Error ? error.message : String(error)
}

export const isUnreachable = (error: unknown): boolean => ApiError.is(error) && error.status === 0
export const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  ApiError.is(error) && statuses.includes(error.status)
