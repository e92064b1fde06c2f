/** Writes that are done together. */

import type { Appended, AppendOptions } from './append.js'
import type { Branch, BranchMove } from './branch.js'
import type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from './draft.js'
import type { NewEntry } from './entry.js'
import type { NewEvent, StoredEvent } from './event.js'
import type { StoredReceipt } from './keeping.js'
import type { RecordAdd, RecordPut, StoredRecord } from './record.js'

/** One write of a commit, as data. */
export type Step =
  | { readonly do: 'append'; readonly entries: readonly NewEntry[]; readonly options: AppendOptions }
  | { readonly do: 'set-branch'; readonly move: BranchMove }
  | { readonly do: 'open-draft'; readonly draft: NewDraft }
  | { readonly do: 'save-draft'; readonly draft: DraftSave }
  | { readonly do: 'renew-draft'; readonly draft: DraftRenewal }
  | { readonly do: 'promote-draft'; readonly promotion: Promotion }
  /** The draft goes and leaves nothing: its owner had nothing to say. */
  | { readonly do: 'drop-draft'; readonly id: string; readonly epoch: number }
  | { readonly do: 'put-receipt'; readonly receipt: StoredReceipt }
  | { readonly do: 'put-record'; readonly record: Omit<RecordPut, 'conversation'> }
  | { readonly do: 'add-record'; readonly record: RecordAdd }
  | { readonly do: 'remove-record'; readonly kind: string; readonly id: string }
  | { readonly do: 'emit'; readonly events: readonly NewEvent[]; readonly at: string }

/** What became of each step, in their order. */
export interface Committed {
  readonly outcomes: readonly (Appended | Branch | Draft | StoredRecord | readonly StoredEvent[] | null)[]
  /** Nothing was written: all of it was there already. */
  readonly repeated: boolean
}
