/** What was said: only what is in sight is in the page, however long the conversation is. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import { Icon } from '../icons.js'
import type { Inspected } from '../inspected.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { MessageView } from './message.js'
import { useRows } from './rows.js'
import { isOver } from './state.js'
import { Tail } from './tail.js'
import { useEnd } from './use-end.js'
import { useMoves } from './use-moves.js'
import { useTarget } from './use-target.js'

/** The place above the first message, which says whether there is more. */
const topHeight = 44
const guess = 140
/** The page before is asked for this many pixels ahead. */
const ahead = 1_200

export function Transcript({
  target,
  inspected,
}: {
  readonly target: string | null
  readonly inspected: Inspected | null
}) {
  const { chat } = useScreen()
  const { run, cursor, sending } = useBox(chat.state)
  const { rows, ...of } = useRows()
  const log = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => log.current,
    estimateSize: () => guess,
    getItemKey: useCallback((index: number) => rows?.[index]?.id ?? index, [rows]),
    overscan: 6,
    scrollMargin: topHeight,
    initialOffset: () => (rows?.length ?? 0) * guess,
    // earlier messages come in above without moving what is read
    anchorTo: 'end',
  })
  const end = useEnd(log, rows !== null)
  useTarget({ chat, target, rows, list, leave: end.leave })
  const moves = useMoves(log, list, rows?.length ?? 0)

  // whoever sends something wants to see it, and what comes of it
  const isSending = sending !== null
  useEffect(() => {
    if (isSending) end.go()
  }, [isSending, end.go])

  const first = rows?.[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that does not fill the screen asks for the next
  useEffect(() => {
    const box = log.current
    if (box && cursor !== null && box.scrollTop < ahead) void chat.earlier().catch(() => {})
  }, [chat, cursor, first])

  if (rows === null) return <Loading />
  const items = list.getVirtualItems()
  return (
    <div className="log-frame">
      <div
        ref={log}
        className="log"
        role="log"
        aria-busy={run !== null && !isOver(run)}
        aria-live="off"
        onKeyDown={moves}
        onScroll={({ currentTarget: box }) => {
          end.scrolled(box)
          if (cursor !== null && box.scrollTop < ahead) void chat.earlier().catch(() => {})
        }}
      >
        <div ref={end.content} className="log-inner">
          <p className="log-top">{cursor === null ? rows.length > 0 && words.begins : words.loadingEarlier}</p>
          <div style={{ height: list.getTotalSize() }}>
            <div style={{ transform: `translateY(${(items[0]?.start ?? topHeight) - topHeight}px)` }}>
              {items.map(({ key, index }) => {
                const message = rows[index]
                return message ? (
                  <div key={key} data-index={index} ref={list.measureElement} className="entry">
                    <MessageView
                      message={message}
                      results={of.results}
                      sort={of.sort(message)}
                      versions={of.versions(message)}
                      horizon={of.horizon?.after === message.id ? of.horizon.count : 0}
                      target={message.id === target}
                      inspected={inspected?.answer === message.id}
                      busy={run !== null && !isOver(run)}
                    />
                  </div>
                ) : null
              })}
            </div>
          </div>
          <Tail />
        </div>
      </div>
      {end.away && (
        <button type="button" className="to-end" aria-label={words.toBottom} title={words.toBottom} onClick={end.go}>
          <Icon name="down-arrow" />
        </button>
      )}
    </div>
  )
}

function Loading() {
  return (
    <div className="log" aria-busy="true">
      <div className="skeleton tall" role="status" aria-label={words.loading}>
        <i />
        <i />
        <i />
      </div>
    </div>
  )
}
