/** An error as facts: its code and the line that threw it, and none of its words. */
import { HistoryError } from '../../core/message/issue.js'
import { ModelError } from '../../models/wire/contract.js'
import type { Facts } from './allow.js'

export function faultOf(error: unknown): Facts {
  if (HistoryError.is(error) || ModelError.is(error)) return { code: error.code }
  const { code } = Object(error) as { readonly code?: unknown }
  const known = typeof code === 'string' && systemCode.test(code) ? code.toLowerCase() : 'internal'
  return { code: known, kind: error instanceof Error ? error.constructor.name : typeof error, at: lineOf(error) }
}

/** Node's (`ECONNRESET`, `ERR_…`) and SQL's (`57P01`): what else calls itself a code may be anyone's words. */
const systemCode = /^(?:E[A-Z]{3,14}|ERR_[A-Z_]{3,40}|[0-9A-Z]{5})$/

/** The place in the code where it was thrown: `service.js:120`. */
function lineOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return /^ {4}at .*?([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/m.exec(stack)?.[1]
}
