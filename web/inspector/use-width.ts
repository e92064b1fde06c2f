/** How wide something is drawn, as it changes. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(400)
  useLayoutEffect(() => {
    const found = box.current
    if (!found) return
    const tell = (): void => setWidth(Math.round(found.clientWidth))
    tell()
    const watcher = new ResizeObserver(tell)
    watcher.observe(found)
    return () => watcher.disconnect()
  }, [])
  return [box, width]
}
