/** Every message of the path and what became of it; the list opens at the cut, and only the rows in sight are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Copy } from '../copy.js'
import type { Missing } from '../receipt/missing.js'
import { words } from '../strings/inspector.js'
import { Beyond } from './beyond.js'
import { csvOf } from './csv.js'
import { Filters, type Wanted, wants } from './filters.js'
import { jump } from './jump.js'
import { MessageActions } from './message-actions.js'
import type { Look, Row } from './rows.js'
import { Line, RunLine } from './run-line.js'
import { cutIn, type Item, itemsOf, type Run, runsOf } from './runs.js'
import type { Seen } from './seen.js'

interface Props {
  readonly rows: readonly Row[]
  readonly seen: Seen
  readonly missing?: Missing | null
  /** The message to begin with. */
  readonly at?: string
  /** What they were, where this is not what was sent. */
  readonly was?: ReadonlyMap<string, Look>
  /** Tells which message is open. */
  chosen?(row: Row | null): void
}

const everything: Wanted = { group: null, text: '', changed: false }

export function List({ rows, seen, missing = null, at, was, chosen }: Props) {
  const [wanted, setWanted] = useState<Wanted>(everything)
  /** What someone opened or closed; the rest is as the cut has it. */
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [picked, setPicked] = useState<string | null | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => rows.filter((row) => wants(wanted, row, was)), [rows, wanted, was])
  const runs = useMemo(() => runsOf(rows), [rows])
  const first = was ? null : (at ?? missing?.details[0]?.message ?? null)
  const cut = useMemo(() => cutIn(runs, first), [runs, first])
  const open = picked === undefined ? first : picked
  const isFolded =
    !was && shown.length === rows.length && wanted.text === '' && wanted.group === null && !wanted.changed
  const items = useMemo((): readonly Item[] => {
    if (!isFolded) return shown.map((row) => ({ type: 'row', row, run: null }))
    return itemsOf(runs, (run) => folds.get(run.key) ?? run === cut)
  }, [shown, isFolded, runs, folds, cut])
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    getItemKey: (index) => keyOf(items[index]) ?? index,
    overscan: 8,
  })

  useEffect(() => {
    if (at === undefined) return
    setWanted(everything)
    setPicked(undefined)
  }, [at])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another message is asked for
  useEffect(() => {
    const key = first ?? cut?.key
    const index = items.findIndex((item) => keyOf(item) === key || (item.type === 'run' && item.run.key === key))
    if (index > 0) requestAnimationFrame(() => list.scrollToIndex(index, { align: 'center' }))
  }, [first, cut?.key])

  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it is another
  useEffect(() => {
    chosen?.(rows.find(({ brief }) => brief.id === open) ?? null)
  }, [open, rows])

  const drawn = list.getVirtualItems()
  const lines = was ? [] : (seen.kept.receipt.recall?.items ?? [])
  if (rows.length === 0)
    return (
      <section className="list">
        <Beyond lines={lines} />
        <p className="blank">{words.noRows}</p>
      </section>
    )
  const toggle = (run: Run, isOpen: boolean): void => setFolds(new Map([...folds, [run.key, !isOpen]]))
  return (
    <section className="list">
      <Beyond lines={lines} />
      <Filters rows={rows} wanted={wanted} want={setWanted} {...(was && { was })} />
      {shown.length === 0 && <p className="blank">{words.noMatch}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={box} className="table-box" tabIndex={0}>
        <table className="table" aria-rowcount={shown.length + 1} aria-label={words.title}>
          <colgroup>
            <col className="col-place" />
            <col />
            <col className="col-amount" />
          </colgroup>
          <thead className="hidden">
            <tr aria-rowindex={1}>
              {Object.values(words.column).map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <Space height={drawn[0]?.start ?? 0} />
          {drawn.map(({ index, key }) => {
            const item = items[index] as Item
            const isCut = item.run !== null && item.run === cut && isFolded
            if (item.type === 'run')
              return (
                <tbody
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  data-cut={isCut && item.open}
                  data-run="true"
                >
                  <RunLine {...item} seen={seen} toggle={() => toggle(item.run, item.open)} />
                </tbody>
              )
            const { row } = item
            const isOpen = open === row.brief.id
            return (
              <tbody key={key} ref={list.measureElement} data-index={index} data-open={isOpen} data-cut={isCut}>
                <Line
                  row={row}
                  seen={seen}
                  isAlone={item.run === null}
                  was={was?.get(row.brief.id)}
                  open={isOpen}
                  toggle={() => setPicked(isOpen ? null : row.brief.id)}
                >
                  {isOpen && (
                    <MessageActions row={row} seen={seen} missing={missing} go={() => jump(seen, row.brief.id)} />
                  )}
                </Line>
              </tbody>
            )
          })}
          <Space height={list.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </table>
      </div>
      <footer className="dim small">
        <Copy text={() => csvOf(shown)} label={words.copyCsv} />
      </footer>
    </section>
  )
}

/** A run has the name of its first message, which is also a row. */
const keyOf = (item: Item | undefined): string | undefined =>
  item && (item.type === 'run' ? `run ${item.run.key}` : item.row.brief.id)

/** Room for the rows that are not drawn. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 ? (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  ) : null
