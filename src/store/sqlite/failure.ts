/** What SQLite says when it fails, in the words of the contract. */
import { HistoryError } from '../../core/issue.js'
import { refusal } from '../refuse.js'

const primary = (error: unknown): number | undefined => {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Another connection has the lock: nothing was done, and it can be tried again. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(primary(error) as number)

export function failureOf(error: unknown): unknown {
  if (HistoryError.is(error)) return error
  switch (primary(error)) {
    case undefined:
      return error
    case 5:
    case 6:
      return refusal('unavailable', 'another process keeps the file locked', { cause: error })
    case 13:
      return refusal('storage_full', 'the disk is full; nothing was written', { cause: error })
    case 18:
      return refusal('too_large', 'too large for SQLite', { cause: error })
    default:
      return refusal('unavailable', `SQLite failed: ${(error as Error).message}`, { cause: error })
  }
}
