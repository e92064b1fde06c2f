/** Goes to the message that the address names, however far back it is. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Message } from '../../src/client/index.js'
import type { Chat } from './open-chat.js'

interface Wanted {
  readonly chat: Chat
  readonly target: string | null
  readonly rows: readonly Message[] | null
  readonly list: Virtualizer<HTMLDivElement, Element>
  leave(): void
}

export function useTarget({ chat, target, rows, list, leave }: Wanted): void {
  const asked = useRef<string | null>(null)
  const shown = useRef<string | null>(null)
  const isThere = rows !== null
  useEffect(() => {
    if (target === null) shown.current = null
    if (target === null || !isThere || asked.current === target) return
    asked.current = target
    leave()
    void chat.reach(target).catch(() => {})
  }, [chat, target, isThere, leave])
  useEffect(() => {
    if (target === null || shown.current === target) return
    const at = rows?.findIndex(({ id }) => id === target) ?? -1
    if (at < 0) return
    shown.current = target
    leave()
    list.scrollToIndex(at, { align: 'center' })
    focusSoon(`m-${target}`)
  }, [target, rows, list, leave])
}

/** A message that was far away is in the page a moment later. */
export function focusSoon(id: string, tries = 20): void {
  requestAnimationFrame(() => {
    const found = document.getElementById(id)
    if (found) found.focus({ preventScroll: true })
    else if (tries > 0) focusSoon(id, tries - 1)
  })
}
