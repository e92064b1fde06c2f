/** Small files that begin as the real ones do. */

const base64Of = (bytes: string): string => btoa(bytes)

const word = (value: number): string => String.fromCharCode((value >> 8) & 255, value & 255)

/** The head of a PNG of this size. */
export const png = (width = 8, height = 8): string =>
  base64Of(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0${word(width)}\0\0${word(height)}\x08\x02\0\0\0\0`)

export const jpeg = (width = 8, height = 8): string =>
  base64Of(
    `\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08${word(height)}${word(width)}\x03\x01`,
  )

export const gif = (): string => base64Of('GIF89a\x08\0\x08\0\0\0\0')
