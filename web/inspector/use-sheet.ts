/** Where the inspector takes the focus, gives it back, and covers everything else. */
import { type RefObject, useEffect, useState } from 'react'

const narrow = '(width <= 820px)'

/** True where the inspector is the whole screen. */
export function useSheet(box: RefObject<HTMLElement | null>): boolean {
  const [sheet, setSheet] = useState(() => matchMedia(narrow).matches)

  useEffect(() => {
    const watched = matchMedia(narrow)
    const tell = (): void => setSheet(watched.matches)
    watched.addEventListener('change', tell)
    return () => watched.removeEventListener('change', tell)
  }, [])

  useEffect(() => {
    if (!sheet) return
    const others = [...document.querySelectorAll<HTMLElement>('.app > main, .app > .sidebar')]
    for (const other of others) other.inert = true
    return () => {
      for (const other of others) other.inert = false
    }
  }, [sheet])

  useEffect(() => {
    const before = document.activeElement
    box.current?.focus({ preventScroll: true })
    return () => {
      // what is behind a sheet can be reached only when the sheet is gone
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      })
    }
  }, [box])

  return sheet
}
