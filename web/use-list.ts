/** The list of conversations, page by page. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Conversation, ConversationPatch } from '../src/client/index.js'
import { api } from './api.js'

export interface List {
  readonly items: readonly Conversation[] | null
  readonly hasMore: boolean
  readonly error: unknown
  more(): void
  refresh(): void
  change(id: string, patch: ConversationPatch): Promise<void>
  /** Gone from sight at once, deleted when the time to undo is over. */
  hide(id: string): { undo(): void; done: Promise<void> }
}

const undoMs = 6_000

export function useList(archived: boolean): List {
  const [items, setItems] = useState<readonly Conversation[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const hidden = useRef(new Set<string>())
  const asked = useRef(0)

  const refresh = useCallback(async () => {
    const turn = ++asked.current
    try {
      const page = await api.conversations.list({ limit: 50, archived })
      if (turn !== asked.current) return
      setItems(page.items)
      setCursor(page.next_cursor)
      setError(null)
    } catch (error) {
      if (turn === asked.current) setError(error)
    }
  }, [archived])

  useEffect(() => {
    setItems(null)
    void refresh()
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

  const more = async (): Promise<void> => {
    if (cursor === null) return
    const page = await api.conversations.list({ limit: 50, archived, cursor })
    setItems((before) => [...(before ?? []), ...page.items.filter(({ id }) => !before?.some((one) => one.id === id))])
    setCursor(page.next_cursor)
  }

  return {
    items: items?.filter(({ id }) => !hidden.current.has(id)) ?? null,
    hasMore: cursor !== null,
    error,
    more: () => void more().catch(setError),
    refresh: () => void refresh(),
    async change(id, patch) {
      setItems(
        (before) =>
          before?.map((one) => (one.id === id ? { ...one, ...(patch as Partial<Conversation>) } : one)) ?? null,
      )
      await api.conversations.update(id, patch).catch(setError)
      await refresh()
    },
    hide(id) {
      hidden.current.add(id)
      setItems((before) => [...(before ?? [])])
      let timer: ReturnType<typeof setTimeout>
      const done = new Promise<void>((resolve) => {
        timer = setTimeout(() => void api.conversations.remove(id).catch(setError).finally(resolve), undoMs)
      })
      return {
        done,
        undo() {
          clearTimeout(timer)
          hidden.current.delete(id)
          setItems((before) => [...(before ?? [])])
        },
      }
    },
  }
}
