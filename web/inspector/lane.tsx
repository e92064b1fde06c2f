/** A row of the map. One piece is in the order of the keys, the arrows reach the others. */
import { type KeyboardEvent, useRef } from 'react'
import { words } from '../strings/inspector.js'
import type { Segment } from './segments.js'
import { nextOf } from './tabs.js'

interface Props {
  readonly title: string
  readonly note: string
  readonly segments: readonly Segment[]
  readonly scale: number
  readonly chosen: Segment | null
  /** It is the lane of what was not sent. */
  readonly not?: boolean
  /** It goes on beyond the edge. */
  readonly torn?: boolean
  choose(segment: Segment): void
  go(message: string): void
}

export function Lane({ title, note, segments, scale, chosen, not = false, torn = false, choose, go }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    segments.findIndex(({ key }) => key === chosen?.key),
  )
  const press = (event: KeyboardEvent): void => {
    const segment = segments[at]
    const message = segment?.rows[0]?.brief.id
    if (event.key === 'Enter' && message !== undefined) {
      event.preventDefault()
      go(message)
    }
    const next = nextOf(event.key, at, segments.length)
    if (next === null) return
    event.preventDefault()
    ;(bar.current?.children[next] as HTMLElement | undefined)?.focus()
  }
  return (
    <figure className="lane">
      <figcaption>
        {title} <small>{note}</small>
      </figcaption>
      <div
        ref={bar}
        className="bar"
        role="toolbar"
        aria-label={title}
        data-not={not}
        data-torn={torn}
        onKeyDown={press}
      >
        {segments.map((segment, index) => {
          const share = (segment.tokens / scale) * 100
          return (
            <button
              key={segment.key}
              type="button"
              aria-pressed={chosen?.key === segment.key}
              aria-label={words.segment(segment.label, segment.tokens)}
              tabIndex={index === at ? 0 : -1}
              className="segment"
              data-color={segment.color}
              data-look={segment.look ?? undefined}
              style={{ width: `${share}%` }}
              onFocus={() => choose(segment)}
              onPointerEnter={() => choose(segment)}
              onClick={() => choose(segment)}
            >
              {share > 9 && <span aria-hidden="true">{segment.short}</span>}
            </button>
          )
        })}
      </div>
    </figure>
  )
}
