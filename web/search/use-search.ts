/** Titles and messages with all of the words, or of like meaning, a moment after the last key. */
import { useEffect, useState } from 'react'
import type { Conversation, Hit, SearchQuery } from '../../src/client/index.js'
import { api } from '../api.js'

export interface Narrow {
  readonly mode: 'keyword' | 'semantic' | 'hybrid'
  readonly role: '' | 'user' | 'assistant' | 'tool'
  /** Days back; empty for all time. */
  readonly days: string
  readonly conversation: string | null
}

export interface Found {
  readonly titles: readonly Conversation[]
  readonly hits: readonly Hit[]
  readonly hasMore: boolean
  /** Why there may be more, or better. */
  readonly warnings: readonly string[]
}

export interface Search {
  readonly found: Found | null
  readonly busy: boolean
  readonly error: unknown
}

const pauseMs = 120

export function useSearch(words: string, { mode, role, days, conversation }: Narrow): Search {
  const q = words.trim()
  const asked = JSON.stringify([q, mode, role, days, conversation])
  const [state, setState] = useState<Omit<Search, 'busy'> & { asked: string }>({ asked, found: null, error: null })
  useEffect(() => {
    if (q === '') return setState({ asked, found: null, error: null })
    const leaving = new AbortController()
    const { signal } = leaving
    const narrow: SearchQuery = {
      q,
      limit: 30,
      ...(mode !== 'keyword' && { mode }),
      ...(role !== '' && { role }),
      ...(days !== '' && { since: new Date(Date.now() - Number(days) * 86_400_000).toISOString() }),
      ...(conversation !== null && { conversation_id: conversation }),
    }
    // a title has no speaker, and the conversation one is in is known
    const untitled = role !== '' || conversation !== null
    const timer = setTimeout(async () => {
      try {
        const [titles, hits] = await Promise.all([
          untitled ? { items: [] } : api.conversations.list({ q, limit: 5 }, { signal }),
          api.search(narrow, { signal }),
        ])
        const warnings = (hits.warnings ?? []).map(({ message }) => message)
        const found = { titles: titles.items, hits: hits.items, hasMore: hits.next_cursor !== null, warnings }
        setState({ asked, found, error: null })
      } catch (error) {
        if (!signal.aborted) setState({ asked, found: null, error })
      }
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [asked, q, mode, role, days, conversation])
  // what is shown is what was asked for, or it is being looked for
  return { found: state.found, error: state.error, busy: q !== '' && state.asked !== asked }
}
