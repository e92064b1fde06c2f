/** Reading and writing in a conversation that must be there. */
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../shared/refuse.js'
import type { Call, Result, Row } from './batch.js'
import type { Decide, Driver } from './driver.js'
import * as sql from './sql/frame.js'
import type { Statement } from './sql/statement.js'

export const gone = (conversation: string) =>
  refusal('gone', 'the conversation was deleted', { field: 'conversation', value: conversation })

export const notThere = (what: 'conversation' | 'entry' | 'branch' | 'draft', field: string, value: string) =>
  refusal('not_found', `there is no such ${what}`, { field, value })

export const unknownParent = (field: string, value: string) =>
  refusal('unknown_parent', 'there is no such entry', { field, value })

export const stateOf = (workspace: string, conversation: string): Call => [sql.state, [workspace, conversation]]

/** The result of `state`: returns if the conversation is there. */
export function checkState(result: Result | undefined, conversation: string): void {
  const state = result?.rows[0]
  if (state?.here) return
  throw state?.gone ? gone(conversation) : notThere('conversation', 'conversation', conversation)
}

export async function checkHere(driver: Driver, workspace: string, conversation: string): Promise<void> {
  const [state] = await driver.read(workspace, stateOf(workspace, conversation))
  checkState(state, conversation)
}

/** A row that belongs to a conversation which is not there: says so. */
export const orMissing =
  (driver: Driver, workspace: string, conversation: string) =>
  async (error: unknown): Promise<never> => {
    const cause = HistoryError.is(error) ? error.cause : null
    if ((cause as { readonly code?: string } | null)?.code === '23503') await checkHere(driver, workspace, conversation)
    throw error
  }

export async function readIn(
  driver: Driver,
  workspace: string,
  conversation: string,
  call: Call,
): Promise<readonly Row[]> {
  const [found, state] = await driver.read(workspace, call, stateOf(workspace, conversation))
  checkState(state, conversation)
  return found?.rows ?? []
}

/** `locking` is the statement that keeps others out of the conversation; its result comes first. */
export function writeIn<T>(
  driver: Driver,
  workspace: string,
  conversation: string,
  locking: Statement,
  calls: readonly Call[],
  decide: Decide<T>,
): Promise<T> {
  const lock: Call = [locking, [workspace, conversation]]
  return driver.write(workspace, [lock, ...calls], async (results, ask) => {
    if (results[0]?.rows.length === 0) checkState((await ask(stateOf(workspace, conversation)))[0], conversation)
    return decide(results, ask)
  })
}
