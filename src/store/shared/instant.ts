/** Times of callers as points in time. They filter what is found, and never order anything. */

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i

/** Milliseconds since 1970; null for a text that is no ISO time. Without a zone it is taken as UTC on every machine. */
export function instantOf(at: string): number | null {
  const [, day, time = '00:00', zone = 'Z'] = iso.exec(at) ?? []
  if (day === undefined) return null
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  const instant = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(instant) ? null : instant
}
