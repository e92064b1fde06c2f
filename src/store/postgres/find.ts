/** What is said about a conversation that is not there, and names that cannot be there. */
import type { HistoryError } from '../../core/issue.js'
import { isWellFormed } from '../../core/text.js'
import { refusal } from '../refuse.js'
import type { Call, Driver, Result } from './driver.js'
import * as sql from './statements.js'

/** No stored name is empty: one that could never be stored is looked for as that. */
export const name = (value: string): string => (storable(value) ? value : '')

export const storable = (value: string): boolean => !value.includes('\0') && isWellFormed(value)

export const gone = (conversation: string): HistoryError =>
  refusal('gone', 'the conversation was deleted', { field: 'conversation', value: conversation })

export const missing = (what: 'conversation' | 'entry' | 'branch' | 'draft', field: string, value: string) =>
  refusal('not_found', `there is no such ${what}`, { field, value })

/** The result of `state`: returns if the conversation is there. */
export function checkState(result: Result | undefined, conversation: string): void {
  const state = result?.rows[0]
  if (state?.here) return
  throw state?.gone ? gone(conversation) : missing('conversation', 'conversation', conversation)
}

export const stateOf = (workspace: string, conversation: string): Call => [sql.state, [workspace, name(conversation)]]

/** A read of a conversation that must be there. */
export async function within(
  driver: Driver,
  workspace: string,
  conversation: string,
  ...calls: readonly Call[]
): Promise<readonly Result[]> {
  const [state, ...results] = await driver.read(workspace, stateOf(workspace, conversation), ...calls)
  checkState(state, conversation)
  return results
}
