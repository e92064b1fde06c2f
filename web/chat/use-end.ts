/** Stays at the end of what grows, until someone scrolls away from it. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

const near = 80

export function useEnd(log: RefObject<HTMLElement | null>, isThere: boolean) {
  const stuck = useRef(true)
  const [away, setAway] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  const top = useRef(0)
  const height = useRef(0)
  const go = useCallback(() => {
    stuck.current = true
    const box = log.current
    if (box) box.scrollTop = box.scrollHeight
  }, [log])

  useLayoutEffect(() => {
    if (!isThere || !content.current || !log.current) return
    const keep = (): void => {
      if (stuck.current) go()
    }
    keep()
    const watcher = new ResizeObserver(keep)
    watcher.observe(content.current)
    watcher.observe(log.current)
    return () => watcher.disconnect()
  }, [isThere, log, go])

  return {
    content,
    away,
    go,
    leave: useCallback(() => {
      stuck.current = false
    }, []),
    scrolled(box: HTMLElement): void {
      const left = box.scrollHeight - box.scrollTop - box.clientHeight
      // what grows below moves nothing, and what shrinks moves by itself: only a way up is a wish to leave
      if (left < near) stuck.current = true
      else if (box.scrollTop < top.current && box.scrollHeight >= height.current) stuck.current = false
      top.current = box.scrollTop
      height.current = box.scrollHeight
      setAway(!stuck.current && left > near * 4)
    },
  }
}
