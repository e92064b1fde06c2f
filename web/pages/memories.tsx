/** What is known beyond one conversation: to read, to correct, to have forgotten. */
import { useCallback, useEffect, useState } from 'react'
import type { Memory, MemoryKind } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { strings } from '../strings/pages.js'
import type { Way } from '../use-toast.js'
import { Frame } from './frame.js'
import { MemoryForm } from './memory-form.js'
import { MemoryRow } from './memory-row.js'

interface Props {
  tell(text: string, way?: Way): unknown
  openList(): void
}

export function Memories({ tell, openList }: Props) {
  const [items, setItems] = useState<readonly Memory[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(async (after: string | null) => {
    const page = await api.memories.list({ limit: 50, ...(after !== null && { cursor: after }) })
    setItems((before) => [...(after === null ? [] : (before ?? [])), ...page.items])
    setCursor(page.next_cursor)
  }, [])
  useEffect(() => void load(null).catch(setError), [load])

  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setError(null)
    await work().catch((error: unknown) => {
      setError(error)
      throw error
    })
  }
  const add = (kind: MemoryKind, text: string): Promise<void> =>
    trying(async () => {
      const made = await api.memories.add({ kind, text })
      setItems((before) => [made, ...(before ?? [])])
    })
  const correct = ({ id, revision }: Memory, kind: MemoryKind, text: string): Promise<void> =>
    trying(async () => {
      const made = await api.memories.correct(id, { kind, text, expect: revision })
      setItems((before) => before?.map((one) => (one.id === id ? made : one)) ?? null)
    })
  const forget = (one: Memory): Promise<void> =>
    trying(async () => {
      await api.memories.remove(one.id)
      setItems((before) => before?.filter(({ id }) => id !== one.id) ?? null)
      tell(strings.forgotten, { undo: () => void again(one).catch(setError) })
    })
  const again = async ({ kind, text, source }: Memory): Promise<void> => {
    const made = await api.memories.add({ kind, text, ...source })
    setItems((before) => [made, ...(before ?? [])])
  }

  return (
    <Frame title={strings.memories} says={strings.memoriesSays} openList={openList}>
      <MemoryForm save={add} label={strings.remember} />
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
        </p>
      )}
      {items === null && error === null && (
        <div className="skeleton tall" role="status" aria-label={strings.loading}>
          <i />
          <i />
        </div>
      )}
      {items?.length === 0 && (
        <div className="empty">
          <h2>{strings.memoriesEmpty}</h2>
          <p className="dim">{strings.memoriesEmptyMore}</p>
        </div>
      )}
      {(['profile', 'semantic', 'episodic', 'derived'] as const).map((kind) => {
        const own = items?.filter((one) => one.kind === kind) ?? []
        return own.length === 0 ? null : (
          <section key={kind}>
            <h2>{strings.memoryKinds[kind]}</h2>
            <ul className="memories">
              {own.map((one) => (
                <MemoryRow key={one.id} memory={one} correct={correct} forget={forget} />
              ))}
            </ul>
          </section>
        )
      })}
      {cursor !== null && (
        <button type="button" className="quiet centred" onClick={() => void load(cursor).catch(setError)}>
          {strings.moreMemories}
        </button>
      )}
    </Frame>
  )
}
