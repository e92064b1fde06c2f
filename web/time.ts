/** Times as people say them. */

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

export function clockOf(at: string, now = Date.now()): string {
  const then = Date.parse(at)
  const isToday = then >= new Date(now).setHours(0, 0, 0, 0)
  return isToday ? clock.format(then) : `${short.format(then)}, ${clock.format(then)}`
}
export const fullTime = (at: string): string => full.format(Date.parse(at))
