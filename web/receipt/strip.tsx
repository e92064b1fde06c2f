/** One column for each message, oldest first; its height is how much of it got through. */
import { words } from '../strings/receipt.js'
import type { Stretch } from './saw.js'

interface Props {
  readonly stretches: readonly Stretch[]
  /** Small, and drawn in runs. */
  readonly mini?: boolean
  /** Beside words that say the same. */
  readonly silent?: boolean
}

/** With more messages a column would be too thin to see. */
const most = 400

export function Strip({ stretches, mini = false, silent = false }: Props) {
  const total = stretches.reduce((sum, { count }) => sum + count, 0)
  const inRuns = mini || total > most
  const drawn = placed(stretches).flatMap(({ at, column, count }) =>
    inRuns
      ? [{ key: at, column, count }]
      : Array.from({ length: count }, (_, more) => ({ key: at + more, column, count: 1 })),
  )
  return (
    <span
      className="saw-strip"
      data-mini={mini}
      data-runs={inRuns}
      {...(silent ? { 'aria-hidden': true } : { role: 'img', 'aria-label': words.strip(stretches) })}
    >
      {drawn.map(({ key, column, count }) => (
        <i key={key} data-column={column} {...(inRuns && { style: { flexGrow: count } })} />
      ))}
    </span>
  )
}

/** Each with the place of its first message. */
function placed(stretches: readonly Stretch[]): readonly (Stretch & { readonly at: number })[] {
  let at = 0
  return stretches.map((stretch) => {
    const from = at
    at += stretch.count
    return { ...stretch, at: from }
  })
}
