/** Where a link may lead. */

const schemes = ['http:', 'https:', 'mailto:']

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
}

/** Character references as the characters they stand for; what is none stays as it is. */
export const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, digits, hex, name) => {
        if (name !== undefined) return names[name] ?? whole
        const code = digits === undefined ? Number.parseInt(hex, 16) : Number(digits)
        return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
          ? String.fromCodePoint(code)
          : '\ufffd'
      })
    : text

/** The address as the browser itself reads it, so that what was judged is what is opened; null where it leads elsewhere. */
export function safeAddress(href: string): string | null {
  const wanted = decoded(href)
  if (wanted.length > 4_000 || !URL.canParse(wanted)) return null
  const url = new URL(wanted)
  return schemes.includes(url.protocol) ? url.href : null
}
