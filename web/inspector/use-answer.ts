/** What the service says to one question, asked again when its name is another. */
import { useEffect, useState } from 'react'

interface Answered<T> {
  readonly answer: T | null
  readonly error: unknown
}

const none = { answer: null, error: null }

export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, name: string): Answered<T> {
  const [held, setHeld] = useState<Answered<T>>(none)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for all that it depends on
  useEffect(() => {
    const leaving = new AbortController()
    setHeld(none)
    ask(leaving.signal).then(
      (answer) => leaving.signal.aborted || setHeld({ answer, error: null }),
      (error: unknown) => leaving.signal.aborted || setHeld({ answer: null, error }),
    )
    return () => leaving.abort()
  }, [name])
  return held
}
