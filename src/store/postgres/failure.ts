/** What the server or the network says, in the words of the contract. */
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../shared/refuse.js'

/** By SQLSTATE. Everything else is `unavailable`: the transaction is undone, or its end is unknown, and may be retried. */
const codes: Readonly<Record<string, readonly ['storage_full' | 'too_large' | 'invalid', string]>> = {
  '53100': ['storage_full', "the server's disk is full"],
  '54000': ['too_large', 'a value is too long for its key'],
  '54001': ['invalid', 'the content is nested too deeply'],
  '22003': ['invalid', 'a number is out of range'],
  '22021': ['invalid', 'a text has a character that cannot be stored'],
  '22P05': ['invalid', 'a text has a character that cannot be stored'],
}

/** What no second try mends: whoever runs the program has to change something. The driver's own words go along. */
const setup: readonly (readonly [
  codes: RegExp,
  ...said: readonly ['unauthorized' | 'forbidden' | 'insecure' | 'unprepared', string, string],
])[] = [
  [/^(28P01|28000)$/, 'unauthorized', 'the database refused the login', 'check the user and the password'],
  [
    /^42501$/,
    'forbidden',
    'the database user may not do this',
    'grant the rights, or migrate as the owner and open with migrate: false',
  ],
  [/^3D000$/, 'unprepared', 'there is no such database', 'create it, or check its name'],
  [
    /^(ERR_(TLS|SSL)_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|EPROTO$|NO_SSL$)/,
    'insecure',
    'no connection that both sides trust',
    'check the ssl option: ca for a certificate of your own, false for a server without TLS',
  ],
]

export function postgresFailure(cause: unknown): HistoryError {
  if (HistoryError.is(cause)) return cause
  const words = cause instanceof Error ? cause.message : ''
  const state = /does not support SSL/.test(words) ? 'NO_SSL' : stateOf(cause)
  const wrong = setup.find(([codes]) => codes.test(state))
  if (wrong) {
    const [, code, message, suggestion] = wrong
    return refusal(code, `${message}: ${words}`, { reason: words, suggestion, cause })
  }
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
