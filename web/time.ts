/** Times as people say them. */
import type { strings } from './strings.js'

export type Group = keyof typeof strings.groups

const day = 86_400_000

export function groupOf(at: string, now = Date.now()): Exclude<Group, 'pinned'> {
  const start = new Date(now).setHours(0, 0, 0, 0)
  const then = Date.parse(at)
  if (then >= start) return 'today'
  if (then >= start - day) return 'yesterday'
  if (then >= start - 7 * day) return 'week'
  return then >= start - 30 * day ? 'month' : 'older'
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

export const clockOf = (at: string): string =>
  groupOf(at) === 'today'
    ? clock.format(Date.parse(at))
    : `${short.format(Date.parse(at))}, ${clock.format(Date.parse(at))}`
export const fullTime = (at: string): string => full.format(Date.parse(at))
