/** Structured logs: one line for each event, with the facts that passed the gate. */
import type { Log, LogLine } from '../kit/context.js'
import { type Allowed, allowed, type SessionIds } from './allow.js'

type Level = LogLine['level']

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

interface LogOptions {
  readonly level: Level | 'silent'
  readonly form: 'json' | 'pretty'
  readonly write: (line: string) => void
  /** The names of sessions as clients gave them, or their hashes; plain when left out, as specification 4 has them. */
  readonly sessionIds?: SessionIds
  readonly now?: () => string
}

export function openLog({
  level,
  form,
  write,
  sessionIds = 'plain',
  now = () => new Date().toISOString(),
}: LogOptions): Log {
  const least = level === 'silent' ? levels.length : levels.indexOf(level)
  const lineOf = form === 'json' ? asJson : asText
  return ({ level, event, ...facts }) => {
    if (levels.indexOf(level) >= least) write(`${lineOf(now(), level, event, allowed(facts, sessionIds))}\n`)
  }
}

const asJson = (time: string, level: Level, event: string, facts: Allowed): string =>
  JSON.stringify({ time, level, event, ...facts })

function asText(time: string, level: Level, event: string, facts: Allowed): string {
  const told = Object.entries(facts).filter(([name, value]) => value !== null && !quiet.has(name))
  const pairs = told.map(([name, value]) => `${name}=${value}`)
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${event} ${pairs.join(' ')}`.trimEnd()
}

/** For machines alone. */
const quiet = new Set(['trace_id', 'request_id'])
