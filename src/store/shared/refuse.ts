import { defined } from '../../core/message/defined.js'
import { HistoryError, type Issue, type StoreCode } from '../../core/message/issue.js'

/** Entries that a draft should become, while it has not. */
export const alreadyThere = (): HistoryError =>
  refusal('id_conflict', 'these entries are there already, and the draft is too', { field: 'batch' })

/** The value is the draft that is open. */
export const busy = (draft: string): HistoryError =>
  refusal('busy', 'the conversation has a draft already', { field: 'draft.sole', value: draft })

/** The error for a refusal, with the field it is about and the value that matters. */
export function refusal(
  code: StoreCode,
  message: string,
  { cause, ...more }: Pick<Issue, 'field' | 'value' | 'reason' | 'suggestion'> & { readonly cause?: unknown } = {},
): HistoryError {
  const issue = { code, message, ...defined(more) }
  return new HistoryError(code, [issue], cause === undefined ? undefined : { cause })
}
