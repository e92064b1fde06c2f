/** The keys that work everywhere. */
import { useEffect, useRef } from 'react'
import { ask } from './ask.js'
import { goTo } from './place.js'

interface Keys {
  toggleList(): void
  escape(): void
}

export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const command = event.metaKey || event.ctrlKey
      const key = event.key.toLowerCase()
      const taken = (): void => event.preventDefault()
      if (command && key === 'k') {
        taken()
        ask('search')
      } else if (command && event.shiftKey && key === 'o') {
        taken()
        goTo(null)
      } else if (command && key === 'b') {
        taken()
        latest.current.toggleList()
      } else if (
        (command && key === '/') ||
        (key === '?' && !command && !event.defaultPrevented && !isWriting(event.target))
      ) {
        taken()
        ask('shortcuts')
      } else if (key === 'escape' && !event.defaultPrevented) latest.current.escape()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))
