/** How a command ends, and the words for it. */
import { HistoryError, type Issue } from '../../core/message/issue.js'
import { nearest } from '../../core/message/nearest.js'
import { printable } from './term.js'

export const exits = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  provider: 5,
  budget: 6,
  config: 78,
  interrupted: 130,
} as const

const codes: Readonly<Record<number, string>> = { [exits.usage]: 'invalid_request', [exits.notFound]: 'not_found' }

/** Ends the command with an exit code; the message goes to the error stream as it is. */
export class Failure extends Error {
  readonly exit: number
  /** As the other doors would refuse it. */
  readonly code: string

  constructor(exit: number, message: string) {
    super(message)
    this.exit = exit
    this.code = codes[exit] ?? 'failed'
  }
}

/** The command was not called as it can be. */
export const misused = (message: string, hint?: string): Failure =>
  new Failure(exits.usage, `throughline: ${message}${hint ? `\n  ${hint}` : ''}\n  throughline --help shows how`)

export function notOneOf(what: string, value: string, names: readonly string[]): Failure {
  const near = nearest(value, names)
  const message = `${what} must be one of ${names.join(', ')}; got '${value}'`
  return misused(message, near ? `did you mean '${near}'?` : undefined)
}

/** Nothing could be read, or nothing of use. */
export const failed = (message: string): Failure => new Failure(exits.failed, `throughline: ${message}`)

/** What was named is not there. */
export const notFound = (message: string, hint?: string): Failure =>
  new Failure(exits.notFound, `throughline: ${printable(message)}${hint ? `\n  ${hint}` : ''}`)

/** Someone else was faster, or is at it. */
export const conflict = (message: string, hint?: string): Failure =>
  new Failure(exits.conflict, `throughline: ${printable(message)}${hint ? `\n  ${hint}` : ''}`)

/** The input was refused. */
export const inputRefused = (issue: Issue): Failure => new Failure(exitOf(issue), `throughline: ${sentence(issue)}`)

export const exitOf = (issue: Issue): number => (issue.code === 'fit.budget' ? exits.budget : exits.failed)

export const sentence = ({ message, code }: Issue): string => printable(`${message} (${code})`)

/** The exit code of a code of ours, whether it was thrown or told by a run. */
export function exitOfCode(code: string): number {
  if (code === 'fit.budget') return exits.budget
  if (code === 'not_found' || code === 'gone') return exits.notFound
  if (conflicts.has(code)) return exits.conflict
  return providers.has(code) ? exits.provider : exits.failed
}

const conflicts = new Set([
  ...['head_moved', 'busy', 'id_conflict', 'key_reused', 'record_moved', 'fenced', 'illegal_move'],
  ...['already_answered', 'too_many_runs', 'EEXIST'],
])

/** The codes of `ModelError`, and of an answer that was none. */
const providers = new Set([
  ...['rate_limited', 'overloaded', 'server_error', 'overflow', 'unauthorized', 'refused', 'unreachable', 'cut'],
  ...['garbled', 'silent', 'too_long', 'unknown_model', 'empty'],
])

/** What a thrown thing says, as an issue. */
export function issueOf(error: unknown): Issue {
  if (HistoryError.is(error) && error.issues[0]) return error.issues[0]
  if (error instanceof RangeError)
    return {
      code: 'request.json',
      reason: 'nested too deeply or too large',
      message: 'the request is nested too deeply or too large to be handled',
    }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}
