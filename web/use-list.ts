/** The list of conversations, page by page. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Conversation, ConversationPatch, Labels } from '../src/client/index.js'
import { api } from './api.js'
import { carryOut, carryOutDue, leave, leaving, longMs, stay, undoMs } from './leaving.js'
import type { Way } from './use-toast.js'

export interface Filter {
  readonly archived: boolean
  readonly folder: string | null
  readonly tag: string | null
}

export const everything: Filter = { archived: false, folder: null, tag: null }

export interface List {
  readonly items: readonly Conversation[] | null
  readonly labels: Labels | null
  readonly hasMore: boolean
  readonly error: unknown
  more(): void
  refresh(): void
  change(ids: string | readonly string[], patch: ConversationPatch): Promise<void>
  /** Gone from sight at once, deleted when the time to undo is over. */
  hide(id: string): Required<Way> & { readonly done: Promise<void> }
}

const pageSize = 100

export function useList({ archived, folder, tag }: Filter): List {
  const [items, setItems] = useState<readonly Conversation[] | null>(null)
  const [labels, setLabels] = useState<Labels | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [, redraw] = useState(0)
  const waiting = useRef(new Set<string>())
  const asked = useRef(0)
  const busy = useRef(false)

  const ask = useCallback(
    (from: string | null) =>
      api.conversations.list({
        limit: pageSize,
        archived,
        ...(folder !== null && { folder }),
        ...(tag !== null && { tag }),
        ...(from !== null && { cursor: from }),
      }),
    [archived, folder, tag],
  )

  const refresh = useCallback(
    async (anew = false) => {
      const turn = ++asked.current
      try {
        const [page, found] = await Promise.all([ask(null), api.conversations.labels({ archived })])
        if (turn !== asked.current) return
        setLabels(found)
        setItems((before) => (anew ? page.items : joined(page.items, before, page.next_cursor !== null)))
        // a cursor further down stays where it is
        setCursor((now) => (anew || now === null ? page.next_cursor : now))
        setError(null)
      } catch (error) {
        if (turn === asked.current) setError(error)
      }
    },
    [ask, archived],
  )

  useEffect(() => {
    setItems(null)
    setCursor(null)
    void refresh(true)
    const again = () => void refresh()
    const timer = setInterval(again, 30_000)
    addEventListener('focus', again)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', again)
      removeEventListener('online', again)
    }
  }, [refresh])

  useEffect(() => {
    const forget = (gone: readonly string[]): void => {
      if (gone.length > 0) setItems((before) => before?.filter(({ id }) => !gone.includes(id)) ?? null)
    }
    const rest = (): void => void carryOutDue().then(forget)
    // whoever leaves the page has made up their mind
    const going = (): void => {
      for (const id of waiting.current) void carryOut(id, true).catch(() => {})
    }
    rest()
    const timer = setInterval(rest, 30_000)
    addEventListener('online', rest)
    addEventListener('pagehide', going)
    return () => {
      clearInterval(timer)
      removeEventListener('online', rest)
      removeEventListener('pagehide', going)
    }
  }, [])

  const more = async (): Promise<void> => {
    if (cursor === null || busy.current) return
    busy.current = true
    const turn = asked.current
    try {
      const page = await ask(cursor)
      if (turn !== asked.current) return
      setItems((before) => {
        const known = new Set(before?.map(({ id }) => id))
        return [...(before ?? []), ...page.items.filter(({ id }) => !known.has(id))]
      })
      setCursor(page.next_cursor)
    } finally {
      busy.current = false
    }
  }

  const hidden = new Set(leaving().map(({ id }) => id))
  return {
    items: items?.filter(({ id }) => !hidden.has(id)) ?? null,
    labels,
    hasMore: cursor !== null,
    error,
    more: () => void more().catch(setError),
    refresh: () => void refresh(),
    async change(given, patch) {
      const ids = new Set(typeof given === 'string' ? [given] : given)
      setItems(
        (before) =>
          before?.map((one) => (ids.has(one.id) ? { ...one, ...(patch as Partial<Conversation>) } : one)) ?? null,
      )
      for (const id of ids) await api.conversations.update(id, patch).catch(setError)
      setItems((before) => before?.filter((one) => !ids.has(one.id) || belongs(one, { archived, folder, tag })) ?? null)
      await refresh()
    },
    hide(id) {
      leave(id)
      waiting.current.add(id)
      redraw((n) => n + 1)
      const { promise: done, resolve } = withResolvers()
      const go = (): void => {
        waiting.current.delete(id)
        void carryOut(id)
          .then(() => setItems((before) => before?.filter((one) => one.id !== id) ?? null), setError)
          .finally(resolve)
      }
      let timer = setTimeout(go, undoMs)
      return {
        done,
        hold(held) {
          if (!waiting.current.has(id)) return
          clearTimeout(timer)
          leave(id, held ? longMs : undoMs)
          if (!held) timer = setTimeout(go, undoMs)
        },
        undo() {
          clearTimeout(timer)
          waiting.current.delete(id)
          stay(id)
          redraw((n) => n + 1)
        },
      }
    },
  }
}

function withResolvers(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const belongs = (one: Conversation, { archived, folder, tag }: Filter): boolean =>
  one.archived === archived && (folder === null || one.folder === folder) && (tag === null || one.tags.includes(tag))

/** The first page anew, then what was read before and stands below it. */
function joined(
  page: readonly Conversation[],
  before: readonly Conversation[] | null,
  hasMore: boolean,
): readonly Conversation[] {
  const last = page.at(-1)
  if (!before || !last || !hasMore) return page
  const fresh = new Set(page.map(({ id }) => id))
  const below = before.filter((one) => !fresh.has(one.id) && isBelow(one, last))
  return [...page, ...below]
}

const isBelow = (one: Conversation, other: Conversation): boolean =>
  one.pinned === other.pinned ? one.updated_at <= other.updated_at : other.pinned
