/** Markdown at a terminal, as it comes: headings, bold words and code are painted, and their marks are left out. */
import type { Paint } from '../kit/term.js'

export interface Styled {
  take(text: string): string
  /** What was held back because it might have become a mark. */
  end(): string
}

/** What may still become a mark at the beginning of a line. */
const open = /^ {0,3}(?:`{1,2}|#{1,6}|[-*+])?$/

export function styled(paint: Paint): Styled {
  let [line, run, out] = ['', '', '']
  let [start, fence, skip, star, bold, code, head] = [true, false, false, false, false, false, false]

  const flush = (): void => {
    if (run !== '') out += fence || code ? paint.cyan(run) : bold || head ? paint.bold(run) : run
    run = ''
  }
  const lineEnd = (): void => {
    if (star) run += '*'
    flush()
    if (!skip) out += '\n'
    ;[start, line, skip, star, bold, code, head] = [true, '', false, false, false, false, false]
  }
  const inline = (char: string): void => {
    if (char === '\n') lineEnd()
    else if (skip) return
    else if (fence || (code && char !== '`')) run += char
    else if (char === '`') {
      flush()
      code = !code
    } else if (char === '*') {
      if (star) {
        flush()
        bold = !bold
      }
      star = !star
    } else {
      run += star ? `*${char}` : char
      star = false
    }
  }
  const begin = (char: string): void => {
    line += char
    if (open.test(line)) return
    start = false
    if (/^ {0,3}```/.test(line)) {
      flush()
      fence = !fence
      skip = true
    } else if (!fence && /^ {0,3}#{1,6} /.test(line)) head = true
    else if (!fence && /^ {0,3}[-*+] /.test(line)) run += line.replace(/[-*+] $/, '• ')
    else for (const one of line) inline(one)
  }
  const told = (): string => {
    flush()
    const all = out
    out = ''
    return all
  }
  return {
    take(text) {
      for (const char of text)
        if (start) begin(char)
        else inline(char)
      return told()
    },
    end() {
      run += start ? line : star ? '*' : ''
      return told()
    },
  }
}
