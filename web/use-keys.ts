/** Keys of the whole page, by name: `mod+shift+o`, `escape`, `t`. */
import { useEffect, useRef } from 'react'
import { isAhead } from './ahead.js'

/** False when the key meant nothing just now: it is left to whoever is next. */
type Work = (event: KeyboardEvent) => unknown

export type Keys = Readonly<Record<string, Work>>

/** `first`: before those who listen to the whole page, too. */
export function useKeys(keys: Keys, { first = false } = {}): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const name = nameOf(event)
      const work = latest.current[name]
      if (!work || (!name.startsWith('mod+') && isTaken(event))) return
      if (work(event) !== false) event.preventDefault()
    }
    addEventListener('keydown', pressed, first)
    return () => removeEventListener('keydown', pressed, first)
  }, [first])
}

/** A sign that needs Shift is named by itself. */
function nameOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
  const mod = metaKey || ctrlKey
  return `${altKey ? 'alt+' : ''}${mod ? 'mod+' : ''}${mod && shiftKey ? 'shift+' : ''}${key.toLowerCase()}`
}

/** A field has its letters, and a dialog that is open has them all, wherever the focus went. */
function isTaken({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return defaultPrevented
  return isAhead() || document.querySelector('dialog:modal') !== null || (key !== 'Escape' && isWriting(target))
}

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
