/** A second attempt says the same, but at another time and under other ids: here it is known for what it is. */

import { HistoryError } from '../core/message/issue.js'
import type { Appended } from '../store/contract/append.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'
import { canonical } from '../store/shared/gate.js'
import { digest } from '../store/shared/runtime.js'
import type { Source } from './window/window.js'

/** Ids that follow from the key, so that the entries of the first attempt can be found. */
export function keyed(entries: readonly NewEntry[], key: string): NewEntry[] {
  const stem = digest(key).slice(0, 32)
  return entries.map((entry, i) => ({ ...entry, id: `${stem}-${i}` }))
}

/** What the first attempt wrote, if the failure of this one comes from that. */
export async function knownBefore(
  error: unknown,
  batch: readonly NewEntry[],
  { store, workspace, conversation }: Source,
): Promise<Appended | null> {
  if (!HistoryError.is(error) || !['key_reused', 'id_conflict', 'already_answered'].includes(error.code)) return null
  const entries: Entry[] = []
  for (const entry of batch) {
    const known = await store.entry(workspace, conversation, entry.id)
    if (!known || !saysTheSame(known, entry)) return null
    entries.push(known)
  }
  const last = entries.at(-1)
  return last ? { entries, head: last.id, repeated: true } : null
}

const saysTheSame = (known: Entry, { body }: NewEntry): boolean =>
  !known.redacted && canonical(known.body) === canonical(body)
