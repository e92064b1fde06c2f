/** How long a provider asks to be left alone. */

/** In milliseconds, from `retry-after-ms`, or `retry-after` in seconds or as a date; null when it does not say. */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
