/** Rows of strings under their heads: the first column to the left, the others to the right. */
export function table(title, heads, rows) {
  const lines = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))))
  const draw = (line) =>
    line
      .map((cell, column) => (column === 0 ? cell + gap(cell, widths[column]) : gap(cell, widths[column]) + cell))
      .join('   ')
      .trimEnd()
  return [title, '', draw(heads), widths.map((wide) => '─'.repeat(wide)).join('───'), ...rows.map(draw), ''].join('\n')
}

const width = (cell) => [...cell].length
const gap = (cell, wide) => ' '.repeat(wide - width(cell))

export function time(ms) {
  if (ms < 0.0995) return `${(ms * 1_000).toFixed(1)} µs`
  if (ms < 0.9995) return `${Math.round(ms * 1_000)} µs`
  if (ms < 9.995) return `${ms.toFixed(2)} ms`
  if (ms < 999.5) return `${ms.toFixed(ms < 99.95 ? 1 : 0)} ms`
  return `${(ms / 1_000).toFixed(1)} s`
}

export const factor = (value) => `${value >= 100 ? whole(Math.round(value)) : value.toFixed(value >= 9.95 ? 0 : 1)}x`

export const percent = (share) => `${(share * 100).toFixed(1)} %`

export const whole = (number) => number.toLocaleString('en-US')
