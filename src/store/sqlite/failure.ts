/** What SQLite says when it fails, in the words of the contract. */
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../shared/refuse.js'

/** One of the drivers leaves the number out when a list of rows fails, and only the words tell. */
const words: readonly (readonly [string, number])[] = [
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['database or disk is full', 13],
  ['string or blob too big', 18],
]
const ioError = 10

function primary(error: unknown): number | undefined {
  const { code, errcode, message = '' } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: string }
  if (typeof errcode === 'number') return errcode & 0xff
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return words.find(([said]) => message.includes(said))?.[1] ?? ioError
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
    case 8:
      return refusal('storage_full', 'the file can only be read: its disk is full or its folder cannot be written', {
        cause: error,
      })
    case 13:
      return refusal('storage_full', 'the disk is full; nothing was written', { cause: error })
    case 18:
      return refusal('too_large', 'too large for SQLite', { cause: error })
    default:
      return refusal('unavailable', `SQLite failed: ${(error as Error).message}`, { cause: error })
  }
}
