/** What the server or the network says, in the words of the contract. */
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../refuse.js'

/** By SQLSTATE. Everything else is `unavailable`: the transaction is undone, or its end is unknown, and may be retried. */
const codes: Readonly<Record<string, readonly ['storage_full' | 'too_large' | 'invalid', string]>> = {
  '53100': ['storage_full', "the server's disk is full"],
  '54000': ['too_large', 'a value is too long for its key'],
  '54001': ['invalid', 'the content is nested too deeply'],
  '22003': ['invalid', 'a number is out of range'],
  '22021': ['invalid', 'a text has a character that cannot be stored'],
  '22P05': ['invalid', 'a text has a character that cannot be stored'],
}

export function failureOf(cause: unknown): HistoryError {
  if (HistoryError.is(cause)) return cause
  const known = codes[stateOf(cause)]
  if (known) return refusal(known[0], known[1], { cause })
  return refusal('unavailable', 'the database did not do it, or did not say so; the same call can be made again', {
    cause,
  })
}

function stateOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return ''
  return String(cause.code)
}
