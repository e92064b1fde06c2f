/** Numbers in words, as everything on the screen says them. */

export let locale = 'en'

export const setLocale = (name: string): void => {
  locale = name
}

export const count = (value: number): string => Math.round(value).toLocaleString(locale)

export const many = (value: number, one: string, more: string): string =>
  `${value.toLocaleString(locale)} ${value === 1 ? one : more}`

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${count(Math.abs(value))}`

/** As short as it can be said: 950, 1.2k, 128k, 1M. */
export function kilo(value: number): string {
  const [unit, size] = value >= 999_500 ? ['M', 1_000_000] : value >= 1_000 ? ['k', 1_000] : ['', 1]
  const scaled = value / (size as number)
  return `${unit === '' || scaled >= 99.95 ? Math.round(scaled) : Number(scaled.toFixed(1)).toLocaleString(locale)}${unit}`
}
