/** The windows of a conversation along its branch, oldest first. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Brief, KeptReceipt } from '../../src/client/index.js'
import { api } from '../api.js'
import { outlineOf } from './outline.js'
import { type Part, partsOf } from './parts.js'
import { rowsOf } from './rows.js'
import type { Seen } from './seen.js'

export interface Turn {
  readonly kept: KeptReceipt
  readonly answer: string
  /** Counted from the beginning of the branch. */
  readonly number: number
  readonly depth: number
  readonly parts: readonly Part[]
}

export interface Turns {
  readonly turns: readonly Turn[] | null
  /** Receipts of other branches. */
  readonly others: readonly KeptReceipt[]
  readonly hasEarlier: boolean
  readonly error: unknown
  earlier(): void
}

export function useTurns({ conversation, branch, answer }: Seen): Turns {
  const [path, setPath] = useState<readonly Brief[] | null>(null)
  const [held, setHeld] = useState<readonly KeptReceipt[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)

  const load = useCallback(
    async (after: string | null, signal?: AbortSignal) => {
      const query = { limit: 100, ...(after === null ? null : { cursor: after }) }
      const page = await api.receipts.list(conversation, query, signal && { signal })
      if (signal?.aborted) return
      setHeld((before) => [...page.items, ...(after === null ? [] : before)])
      setCursor(page.next_cursor)
    },
    [conversation],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer may be newer than what is held
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    Promise.all([load(null, signal), outlineOf(conversation, { branch }, signal)]).then(
      ([, found]) => signal.aborted || setPath(found),
      (error: unknown) => signal.aborted || setError(error),
    )
    return () => leaving.abort()
  }, [conversation, branch, answer, load])

  const turns = useMemo(() => (path ? turnsOf(path, held) : null), [path, held])
  const others = useMemo(() => {
    const known = new Set(turns?.map(({ kept }) => kept.id))
    return held.filter(({ id, message_id }) => message_id !== null && !known.has(id))
  }, [turns, held])
  const earlier = (): void => void load(cursor).catch(setError)
  return { turns, others, error, hasEarlier: cursor !== null, earlier }
}

function turnsOf(path: readonly Brief[], receipts: readonly KeptReceipt[]): readonly Turn[] {
  const at = new Map(path.map(({ id }, index) => [id, index]))
  const asked: number[] = path.map(({ role }) => (role === 'user' ? 1 : 0))
  for (let i = 1; i < asked.length; i++) asked[i] = (asked[i] ?? 0) + (asked[i - 1] ?? 0)
  return receipts
    .flatMap((kept): Turn[] => {
      const index = kept.message_id === null ? undefined : at.get(kept.message_id)
      if (index === undefined || kept.message_id === null) return []
      const rows = rowsOf(kept.receipt, path.slice(0, index))
      const parts = partsOf(kept.receipt, rows)
      return [{ kept, answer: kept.message_id, number: asked[index] ?? 0, depth: index, parts }]
    })
    .sort((one, other) => one.depth - other.depth)
}
