/** The terminal: colours and width. Colour says nothing that a sign or a word does not say too. */
import colors from 'picocolors'

export type Paint = ReturnType<typeof colors.createColors>

/** Colour goes to terminals only, and not to those that ask for none. */
export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  const { NO_COLOR, TERM } = process.env
  const wanted = Boolean(stream.isTTY) && !NO_COLOR && TERM !== 'dumb' && !process.argv.includes('--no-color')
  return colors.createColors(wanted)
}

export function widthOf(stream: { readonly columns?: number }): number {
  const told = stream.columns || Number(process.env.COLUMNS) || 100
  return Math.min(120, Math.max(60, told))
}

/** `12,345` */
export const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** What comes from a history must not be able to drive the terminal. */
export const printable = (text: string): string =>
  text.replaceAll('\t', '  ').replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, '\ufffd')

/** On one line and no longer than `most` code points. */
export function short(text: string, most: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const points = [...flat.slice(0, most * 2 + 2)]
  return points.length <= most && flat.length <= most * 2
    ? flat
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** Broken between words into lines of at most `width`. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Columns side by side; the last is not padded. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = []
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, size(cell))
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const gap = ' '.repeat((widths[i] as number) - size(cell))
        if (right.includes(i)) return gap + cell
        return i === row.length - 1 ? cell : cell + gap
      })
      .join('  ')
      .trimEnd(),
  )
}

const size = (cell: string): number => [...cell.replace(/\x1b\[\d+m/g, '')].length
