/** The list itself: however many conversations there are, only those in sight are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { told } from '../api.js'
import { strings } from '../strings/pages.js'
import { linesOf } from './groups.js'
import { Row, type RowActions } from './row.js'

interface Props extends RowActions {
  readonly current: string | null
  readonly empty: string
}

const sizes = { head: 34, row: 37 }
/** So many lines before the end the next page is asked for. */
const early = 20

export function Rows({ current, empty, ...actions }: Props) {
  const { items, error, hasMore, more } = actions.list
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(items ?? []), [items])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    getItemKey: (at) => lines[at]?.key ?? at,
    estimateSize: (at) => sizes[lines[at]?.type ?? 'row'],
    overscan: 8,
  })
  const shown = virtual.getVirtualItems()
  const end = shown.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each end that comes into sight
  useEffect(() => {
    if (hasMore && end >= lines.length - early) more()
  }, [end, lines.length, hasMore])

  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const row = (event.target as HTMLElement).dataset.row
    if (step === undefined || row === undefined) return
    let at = lines.findIndex(({ key }) => key === row) + step
    while (lines[at]?.type === 'head') at += step
    const next = lines[at]
    if (!next) return
    event.preventDefault()
    const link = () => box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.key)}"]`)
    virtual.scrollToIndex(at)
    const drawn = link()
    if (drawn) drawn.focus({ preventScroll: true })
    else requestAnimationFrame(() => link()?.focus())
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys help those who are on a link inside
    <div className="side-list" ref={box} onKeyDown={move}>
      {items === null && error === null && <Skeleton />}
      {error !== null && (
        <p className="dim note" role="alert">
          {told(error)}
        </p>
      )}
      {items?.length === 0 && <p className="dim note">{empty}</p>}
      <div className="side-lines" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="side-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.type === 'head' ? (
                <h2>{line.label}</h2>
              ) : (
                <Row {...actions} one={line.one} current={line.one.id === current} />
              )}
            </div>
          )
        })}
      </div>
      {hasMore && <p className="dim note">{strings.loadingMore}…</p>}
    </div>
  )
}

function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={strings.loading}>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}
