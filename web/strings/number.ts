/** Numbers in words, as everything on the screen says them. */

export const count = (value: number): string => Math.round(value).toLocaleString('en')

export const many = (value: number, one: string, more: string): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : more}`

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${count(Math.abs(value))}`
