/** Times for people: how long ago at a terminal, the minute elsewhere. */
import { misused } from './failure.js'

const units = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const

export function when(at: string, stream: { readonly isTTY?: boolean } = process.stdout, now = Date.now()): string {
  const time = Date.parse(at)
  if (Number.isNaN(time)) return at
  return stream.isTTY ? ago((now - time) / 1_000) : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

function ago(seconds: number): string {
  const [unit, size] = units.find(([, most]) => seconds >= most) ?? ['', 0]
  return size === 0 ? 'now' : `${Math.floor(seconds / size)}${unit} ago`
}

const spans: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 7 * 86_400 }

/** `7d`, `12h`, `30m`, `2w` before now, or a time in ISO 8601. */
export function instantBefore(given: string, now = Date.now()): string {
  const span = /^(\d{1,6})([mhdw])$/.exec(given)
  if (span) return new Date(now - Number(span[1]) * (spans[span[2] as string] as number) * 1_000).toISOString()
  const time = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw misused(`${given} is no time`, 'as in 7d, 12h, 30m, 2w or 2026-03-01')
  return new Date(time).toISOString()
}

/** `90s`, `10m`, `2h` in milliseconds. */
export function spanOf(given: string, option: string): number {
  const span = /^(\d{1,6})([smh])$/.exec(given)
  if (!span) throw misused(`${option} must be a time such as 90s, 10m or 2h`, `got '${given}'`)
  return Number(span[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[span[2] as 's' | 'm' | 'h']
}
