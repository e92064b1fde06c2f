/** A window as it would have been, asked for once the hand is still. */
import { useEffect, useMemo, useState } from 'react'
import type { ContextWindow, WhatIf } from '../../src/client/index.js'
import { api } from '../api.js'
import { type Comparison, compare, type Window } from './compare.js'
import { isLost, type Row, rowsOf } from './rows.js'
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
  const window = { receipt, rows: counted(rowsOf(receipt, seen.path), receipt, seen) }
  return { ...window, comparison: compare({ receipt: seen.kept.receipt, rows: seen.rows }, window) }
}

/** What is not sent either way has one size, as long as the same counter counts it. */
function counted(rows: readonly Row[], { counter }: ContextWindow['receipt'], seen: Seen): readonly Row[] {
  if (counter.name !== seen.kept.receipt.counter.name) return rows
  const wholes = new Map(seen.rows.map(({ brief, whole }) => [brief.depth, whole]))
  return rows.map((row) => (isLost(row) ? { ...row, whole: wholes.get(row.brief.depth) ?? row.whole } : row))
}
