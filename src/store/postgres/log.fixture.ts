/** Small words for tests on a log, and the checks of what must hold after any of them. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { HistoryError } from '../../core/message/issue.js'
import type { NewEntry } from '../contract/entry.js'
import type { Store } from '../contract/store.js'

export const at = '2026-01-01T00:00:00.000Z'

export const said = (text: string, id: string = randomUUID()): NewEntry => ({
  id,
  body: { kind: 'message', role: 'user', parts: [{ type: 'text', text }], status: 'complete' },
  text,
  tokens: 1,
  at,
})

/** Makes the same call until it is answered, as a client does that cannot know whether it was done. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let wait = 5; ; wait = Math.min(wait * 2, 200)) {
    try {
      return await call()
    } catch (error) {
      if (!HistoryError.is(error) || error.code !== 'unavailable') throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

/** Everything acknowledged is there exactly once and whole, the order has no gap, and the chain holds. */
export async function expectWhole(
  store: Store,
  workspace: string,
  conversation: string,
  acknowledged: ReadonlyMap<string, { readonly text: string; readonly seq: number }>,
): Promise<void> {
  const log = await store.feed(workspace, conversation, 0, 10_000)
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1))
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length)
  expect(new Map(log.map(({ id, text, seq }) => [id, { text, seq }]))).toEqual(acknowledged)
  expect(await store.verify(workspace, conversation)).toEqual({ ok: true, entries: log.length })
}
