/** Refusals of this room, with the fields of the specifications' own errors. */
import { HistoryError, type Issue } from '../../core/message/issue.js'
import { type TaskValidationError, taskRefusal } from '../../recipes/refusal.js'

/** Every field that is wrong; the first one is told as the specifications tell it. */
export const invalid = (issues: readonly [Issue, ...Issue[]]): TaskValidationError =>
  taskRefusal(issues[0], 'invalid', issues)

export const tooLarge = (field: string, message: string, value?: number): HistoryError =>
  new HistoryError('too_large', [{ code: 'too_large', field, message, ...(value === undefined ? null : { value }) }])

export const missingTask = (field: 'task' | 'agent', value: string): HistoryError =>
  new HistoryError('not_found', [{ code: 'not_found', field, value, message: `there is no such ${field}` }])

export const illegalMove = (from: string, to: string): HistoryError =>
  new HistoryError('illegal_move', [
    { code: 'illegal_move', field: 'task.state', value: from, message: `a task that is ${from} cannot become ${to}` },
  ])

/** The paths of core's own words, as the caller of `register` knows them. */
export function inHistory(issue: Issue): Issue {
  const { field } = issue
  if (field === undefined || !/^messages(?=$|\[)/.test(field)) return issue
  const rename = (text: string): string => text.replaceAll(/\bmessages(?=\[\d+\]| must be)/g, 'conversation_history')
  return { ...issue, field: field.replace(/^messages/, 'conversation_history'), message: rename(issue.message) }
}
