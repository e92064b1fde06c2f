/**
 * Conversations that are on their way out: gone from sight at once, deleted when the time to undo is over. The wish is
 * kept in the browser until the service has carried it out, so that closing the page does not lose it.
 */
import { api, hasStatus, memory } from './api.js'

export const undoMs = 6_000
/** While someone is about to take it back. */
export const longMs = 600_000
const name = 'leaving'

interface Wish {
  readonly id: string
  /** When it can no longer be taken back. */
  readonly due: number
}

export const leaving = (): readonly Wish[] =>
  (memory.get(name) ?? '').split('\n').flatMap((line) => {
    const [due = '', id = ''] = line.split(' ')
    return id === '' ? [] : [{ id, due: Number(due) }]
  })

export const leave = (id: string, afterMs = undoMs): void =>
  keep([...leaving().filter((one) => one.id !== id), { id, due: Date.now() + afterMs }])

export const stay = (id: string): void => keep(leaving().filter((one) => one.id !== id))

const keep = (wishes: readonly Wish[]): void => memory.set(name, wishes.map(({ id, due }) => `${due} ${id}`).join('\n'))

/** One that is gone already is no error. */
export async function carryOut(id: string, keepalive = false): Promise<void> {
  try {
    await api.conversations.remove(id, { keepalive })
  } catch (error) {
    if (!hasStatus(error, 404, 410)) throw error
  }
  stay(id)
}

/** Wishes that are due, of this page or of one before it; what fails now is tried again later. */
export async function carryOutDue(): Promise<readonly string[]> {
  const due = leaving().filter((one) => one.due <= Date.now())
  const done = await Promise.allSettled(due.map(({ id }) => carryOut(id)))
  return due.flatMap(({ id }, at) => (done[at]?.status === 'fulfilled' ? [id] : []))
}
