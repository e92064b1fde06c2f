/** A word about what just happened, with a way to take it back. */
import { useCallback, useEffect, useState } from 'react'
import { undoMs } from './leaving.js'
import { strings } from './strings/pages.js'

/** How something is taken back; what ends by itself is held while someone is about to. */
export interface Way {
  undo(): void
  readonly hold?: (held: boolean) => void
}

interface Told {
  readonly text: string
  readonly way: Way | null
}

export function useToast() {
  const [told, setTold] = useState<Told | null>(null)
  const [held, setHeld] = useState(false)
  const dismiss = useCallback((one: Told | null) => setTold((now) => (now === one ? null : now)), [])
  const tell = useCallback((text: string, way: Way | null = null): Told => {
    const one = { text, way }
    setTold(one)
    setHeld(false)
    return one
  }, [])
  const hold = (now: boolean): void => {
    setHeld(now)
    told?.way?.hold?.(now)
  }
  useEffect(() => {
    if (!told || told.way?.hold || held) return
    const timer = setTimeout(() => dismiss(told), undoMs)
    return () => clearTimeout(timer)
  }, [told, held, dismiss])
  const toast = (
    <div className="toasts" role="status">
      {told && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only waits for whoever is there
        <div
          className="toast"
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
        >
          <span>{told.text}</span>
          {told.way && (
            <button
              type="button"
              onClick={() => {
                told.way?.undo()
                dismiss(told)
              }}
            >
              {strings.undo}
            </button>
          )}
        </div>
      )}
    </div>
  )
  return { toast, tell, dismiss }
}
