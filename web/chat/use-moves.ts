/** From message to message by keyboard: J and K; the rest is said by the message that has the focus. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback } from 'react'
import { isWriting } from '../use-keys.js'

export function useMoves(
  log: RefObject<HTMLElement | null>,
  list: Virtualizer<HTMLDivElement, Element>,
  count: number,
): (event: KeyboardEvent) => void {
  return useCallback(
    (event) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return
      const step = { j: 1, k: -1 }[event.key.toLowerCase()]
      if (step !== undefined) {
        event.preventDefault()
        const entry = (event.target as HTMLElement).closest('[data-index]')
        const at = entry ? Number(entry.getAttribute('data-index')) + step : count - 1
        return move(log, list, Math.max(0, Math.min(count - 1, at)))
      }
      const wanted = { e: 'edit', c: 'copy', '[': 'before', ']': 'after' }[event.key]
      const article = (event.target as HTMLElement).closest('article')
      const button = wanted && article?.querySelector<HTMLButtonElement>(`[data-does="${wanted}"]:enabled`)
      if (!button) return
      event.preventDefault()
      button.click()
    },
    [log, list, count],
  )
}

type List = Virtualizer<HTMLDivElement, Element>

/** The neighbours are in the page already; what is further off is a moment later. */
function move(log: RefObject<HTMLElement | null>, list: List, at: number, tries = 20): void {
  list.scrollToIndex(at, { align: 'auto' })
  const found = log.current?.querySelector<HTMLElement>(`[data-index="${at}"] article`)
  if (found) found.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => move(log, list, at, tries - 1))
}
