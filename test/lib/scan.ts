/** A TypeScript source with its comments and the insides of its strings blanked; every offset stays where it was. */
export function blank(source: string): string {
  const out = source.split('')
  const hide = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (out[at] !== '\n') out[at] = ' '
  }
  // the depths of braces at which a template's `${` was opened
  const templates: number[] = []
  let depth = 0
  let at = 0

  const template = (from: number) => {
    let end = from
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end))
      end += source[end] === '\\' ? 2 : 1
    hide(from, Math.min(end, source.length))
    if (source[end] === '`') return end + 1
    templates.push(depth++)
    return end + 2
  }

  while (at < source.length) {
    const char = source[at]
    if (source.startsWith('//', at)) {
      const end = until(source, '\n', at)
      hide(at, end)
      at = end
    } else if (source.startsWith('/*', at)) {
      const end = until(source, '*/', at + 2) + 2
      hide(at, end)
      at = end
    } else if (char === "'" || char === '"') {
      const end = closing(source, char, at + 1)
      hide(at + 1, end)
      at = end + 1
    } else if (char === '/' && startsRegex(out, at)) {
      const end = regexEnd(source, at + 1)
      hide(at + 1, end)
      at = end + 1
    } else if (char === '`') {
      at = template(at + 1)
    } else if (char === '}' && templates.at(-1) === depth - 1) {
      templates.pop()
      depth--
      at = template(at + 1)
    } else {
      if (char === '{') depth++
      if (char === '}') depth--
      at++
    }
  }
  return out.join('')
}

/** The string that starts at the quote at `at`, as it is written. */
export const literal = (source: string, at: number): string =>
  source.slice(at + 1, closing(source, source[at] ?? '', at + 1))

/** The offset after the bracket that closes the one at `at`, in blanked code. */
export function afterBracket(code: string, at: number): number {
  let depth = 0
  for (let i = at; i < code.length; i++) {
    if ('([{'.includes(code[i] ?? ' ')) depth++
    if (')]}'.includes(code[i] ?? ' ') && --depth === 0) return i + 1
  }
  return code.length
}

function until(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from)
  return found < 0 ? source.length : found
}

function closing(source: string, quote: string, from: number): number {
  let at = from
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
  return Math.min(at, source.length)
}

/** A slash starts a regular expression where a value may stand, and divides after a value. */
function startsRegex(code: readonly string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 40), at)
    .join('')
    .trimEnd()
  return before === '' || /[(,=:[!&|?{};+\-*%~^<>]$/.test(before) || /\b(return|typeof|case|in|of|else)$/.test(before)
}

function regexEnd(source: string, from: number): number {
  let at = from
  let inClass = false
  while (at < source.length && source[at] !== '\n' && (inClass || source[at] !== '/')) {
    if (source[at] === '[') inClass = true
    if (source[at] === ']') inClass = false
    at += source[at] === '\\' ? 2 : 1
  }
  return at
}
