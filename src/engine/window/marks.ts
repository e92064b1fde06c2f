/** What people decided about single entries: records beside the log, which itself never changes. */

import { HistoryError } from '../../core/message/issue.js'
import type { Marks } from '../../core/window/marks.js'
import type { StoredRecord } from '../../store/contract/record.js'
import { all, paged } from '../../store/shared/page.js'
import { digest } from '../../store/shared/runtime.js'
import { entryMarked } from './news.js'
import type { Source } from './window.js'

/** What a person has decided about one message: pinned, excluded or kept whole. */
export interface Mark {
  readonly entry: string
  /** It stays in every window, within the policy's share. */
  readonly pinned: boolean
  /** It is in no window. */
  readonly excluded: boolean
}

/** The id of a record about an entry. */
export const aboutEntry = (conversation: string, entry: string): string => digest(`${conversation}\n${entry}`)

export async function markEntry(
  { store, workspace, conversation }: Source,
  entry: string,
  change: { readonly pinned?: boolean | undefined; readonly excluded?: boolean | undefined },
  at: string,
): Promise<Mark> {
  const id = aboutEntry(conversation, entry)
  for (let attempt = 1; ; attempt++) {
    const found = await store.getRecord(workspace, 'mark', id)
    const before = found ? markIn(found) : unmarked(entry)
    const body: Mark = { entry, pinned: change.pinned ?? before.pinned, excluded: change.excluded ?? before.excluded }
    try {
      await store.commit(workspace, conversation, [
        { do: 'put-record', record: { kind: 'mark', id, body, at, expect: found?.revision ?? null } },
        { do: 'emit', events: [entryMarked(entry)], at },
      ])
      return body
    } catch (error) {
      // someone else has marked it meanwhile
      if (!HistoryError.is(error) || error.code !== 'record_moved' || attempt === 8) throw error
    }
  }
}

export async function markOf({ store, workspace, conversation }: Source, entry: string): Promise<Mark> {
  const found = await store.getRecord(workspace, 'mark', aboutEntry(conversation, entry))
  return found ? markIn(found) : unmarked(entry)
}

/** All of a conversation. */
export async function marksOf(source: Source): Promise<readonly Mark[]> {
  return (await markRecords(source, 'mark')).map(markIn)
}

export const markRecords = ({ store, workspace, conversation }: Source, kind: string): Promise<StoredRecord[]> =>
  all(paged((from) => store.records(workspace, { kind, conversation, limit: 100, ...from })))

/** As a window takes them. */
export const asMarks = (marks: readonly Mark[]): Marks => ({
  pinned: marks.filter(({ pinned }) => pinned).map(({ entry }) => entry),
  excluded: marks.filter(({ excluded }) => excluded).map(({ entry }) => entry),
})

const unmarked = (entry: string): Mark => ({ entry, pinned: false, excluded: false })

/** Whoever wrote the record, it is read with care. */
export function markIn({ body }: StoredRecord): Mark {
  const { entry, pinned, excluded } = (body ?? {}) as Partial<Record<keyof Mark, unknown>>
  return { entry: typeof entry === 'string' ? entry : '', pinned: pinned === true, excluded: excluded === true }
}
