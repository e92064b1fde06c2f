/** Which answer is looked into. It stands in the address, so that a receipt can be linked to. */
import { useCallback, useMemo } from 'react'
import { type Place, placeNow, rewrite } from './place.js'

export interface Inspected {
  readonly conversation: string
  readonly branch: string
  /** The answer whose window it is. */
  readonly answer: string
  /** The message to begin with. */
  readonly at?: string
}

export function useInspected({
  conversation,
  branch,
  answer,
  at,
}: Place): [Inspected | null, (inspected: Inspected | null) => void] {
  const inspected = useMemo(
    () =>
      conversation === null || answer === null
        ? null
        : { conversation, branch, answer, ...(at === null ? null : { at }) },
    [conversation, branch, answer, at],
  )
  const inspect = useCallback((next: Inspected | null): void => {
    if (next) rewrite({ ...next, at: next.at ?? null })
    else if (placeNow().answer !== null) rewrite({ answer: null, at: null, tab: null })
  }, [])
  return [inspected, inspect]
}
