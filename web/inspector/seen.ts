/** What the inspector looks at: the receipt of one answer, its run, and the path that it is about. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Brief, KeptReceipt, Run } from '../../src/client/index.js'
import { api } from '../api.js'
import type { Inspected } from '../inspected.js'
import { heedMarks } from '../mark.js'
import type { Missing } from '../receipt/missing.js'
import { everything } from './ask.js'
import { outlineOf } from './outline.js'
import { isLost, type Row, rowsOf } from './rows.js'

export interface Seen {
  readonly conversation: string
  readonly branch: string
  readonly answer: string
  readonly kept: KeptReceipt
  readonly run: Run
  /** Up to the question, without the answer. */
  readonly path: readonly Brief[]
  readonly rows: readonly Row[]
}

export interface Looking {
  readonly seen: Seen | null
  readonly error: unknown
  /** Reads it again; what is shown stays meanwhile. */
  again(): void
}

export function useSeen({ conversation, branch, answer }: Inspected): Looking {
  const [found, setFound] = useState<Seen | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [asked, setAsked] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, it is read again
  useEffect(() => {
    const leaving = new AbortController()
    setError(null)
    read({ conversation, branch, answer }, leaving.signal).then(
      (seen) => leaving.signal.aborted || setFound(seen),
      (error: unknown) => leaving.signal.aborted || setError(error),
    )
    return () => leaving.abort()
  }, [conversation, branch, answer, asked])

  const again = useCallback(() => setAsked((count) => count + 1), [])
  useEffect(() => heedMarks(conversation, again), [conversation, again])
  const seen = found?.answer === answer && found.conversation === conversation ? found : null
  return { seen, error, again }
}

/** A run has the name of its answer, and knows its receipt. */
async function read({ conversation, branch, answer }: Inspected, signal: AbortSignal): Promise<Seen> {
  const [run, path] = await Promise.all([
    api.runs.get(conversation, answer, { signal }),
    outlineOf(conversation, { head: answer }, signal),
  ])
  const kept = await api.receipts.get(run.receipt_id ?? '', { signal })
  const before = path.slice(0, -1)
  return { conversation, branch, answer, kept, run, path: before, rows: rowsOf(kept.receipt, before) }
}

/** What was not sent is counted in the window that has room for it; until then it has its share of its line. */
export function useWholes(seen: Seen | null, missing: Missing | null): Seen | null {
  const [wholes, setWholes] = useState<{ readonly of: string; readonly at: ReadonlyMap<number, number> } | null>(null)
  const receipt = seen?.rows.some(isLost) ? seen.kept.id : null
  useEffect(() => {
    if (receipt === null) return
    const leaving = new AbortController()
    api.receipts.whatIf(receipt, everything, { signal: leaving.signal }).then(
      ({ receipt: { request } }) =>
        leaving.signal.aborted ||
        setWholes({ of: receipt, at: new Map(request.each.map(([at, , whole]) => [at, whole])) }),
      () => {},
    )
    return () => leaving.abort()
  }, [receipt])
  return useMemo(() => {
    if (!seen) return null
    const at = wholes?.of === seen.kept.id ? wholes.at : null
    const wholeOf = ({ brief, whole }: Row): number => missing?.costs.get(brief.id) ?? at?.get(brief.depth) ?? whole
    return { ...seen, rows: seen.rows.map((row) => (isLost(row) ? { ...row, whole: wholeOf(row) } : row)) }
  }, [seen, wholes, missing])
}
