/** What was searched for lately, in this browser only. */
import { memory } from '../api.js'

const name = 'searches'
const most = 5

export const recentSearches = (): readonly string[] => (memory.get(name) ?? '').split('\n').filter((one) => one !== '')

export function rememberSearch(words: string): void {
  const line = words.trim().replace(/\s+/g, ' ')
  if (line === '') return
  memory.set(name, [line, ...recentSearches().filter((one) => one !== line)].slice(0, most).join('\n'))
}

export const forgetSearches = (): void => memory.set(name, null)
