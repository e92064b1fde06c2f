/** A word about what just happened, with a way to take it back. */
import { useCallback, useEffect, useState } from 'react'
import { undoMs } from './leaving.js'
import { strings } from './strings/pages.js'

interface Told {
  readonly text: string
  readonly undo: (() => void) | null
}

export function useToast() {
  const [told, setTold] = useState<Told | null>(null)
  const dismiss = useCallback((one: Told | null) => setTold((now) => (now === one ? null : now)), [])
  const tell = useCallback((text: string, undo: (() => void) | null = null): Told => {
    const one = { text, undo }
    setTold(one)
    return one
  }, [])
  useEffect(() => {
    if (!told || told.undo) return
    const timer = setTimeout(() => dismiss(told), undoMs)
    return () => clearTimeout(timer)
  }, [told, dismiss])
  const toast = (
    <div className="toasts" role="status">
      {told && (
        <div className="toast">
          <span>{told.text}</span>
          {told.undo && (
            <button
              type="button"
              onClick={() => {
                told.undo?.()
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
