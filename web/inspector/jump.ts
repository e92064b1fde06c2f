/** To a message in the conversation, drawn there or not. */
import { rewrite } from '../place.js'
import type { Seen } from './seen.js'

export function jump({ conversation, branch }: Pick<Seen, 'conversation' | 'branch'>, message: string): void {
  const found = document.getElementById(`m-${message}`)
  const covered = matchMedia('(width <= 820px)').matches
  if (covered || !found) {
    rewrite({ conversation, branch, message, ...(covered && { answer: null, at: null, tab: null }) })
    return
  }
  found.scrollIntoView({ block: 'center' })
  found.dataset.flash = 'true'
  found.addEventListener('animationend', () => delete found.dataset.flash, { once: true })
}
