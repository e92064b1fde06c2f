/** A window as it would have been, asked for once the hand is still. */
import { useEffect, useMemo, useState } from 'react'
import type { ContextWindow, WhatIf } from '../../src/client/index.js'
import { api } from '../api.js'
import { type Comparison, compare, type Window } from './compare.js'
import { rowsOf } from './rows.js'
import type { Seen } from './seen.js'

export interface Hypothesis extends Window {
  readonly comparison: Comparison
}

export interface Guess {
  readonly hypothesis: Hypothesis | null
  readonly error: unknown
  readonly busy: boolean
}

const stillMs = 180

export function useHypothesis(seen: Seen, asked: WhatIf): Guess {
  const [made, setMade] = useState<ContextWindow | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const wish = JSON.stringify(asked)
  const receipt = seen.kept.id

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    setBusy(true)
    const timer = setTimeout(() => {
      api.receipts
        .whatIf(receipt, JSON.parse(wish) as WhatIf, { signal })
        .then(
          (window) => {
            if (signal.aborted) return
            setMade(window)
            setError(null)
          },
          (error: unknown) => signal.aborted || setError(error),
        )
        .finally(() => signal.aborted || setBusy(false))
    }, stillMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [receipt, wish])

  const hypothesis = useMemo(() => (made ? hypothesisOf(seen, made) : null), [seen, made])
  return { hypothesis: error === null ? hypothesis : null, error, busy }
}

function hypothesisOf(seen: Seen, { receipt }: ContextWindow): Hypothesis {
  const window = { receipt, rows: rowsOf(receipt, seen.path) }
  return { ...window, comparison: compare({ receipt: seen.kept.receipt, rows: seen.rows }, window) }
}
