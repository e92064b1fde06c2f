/** Every message of the path, with its fate. Only the rows in sight are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Copy } from '../copy.js'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { Beyond } from './beyond.js'
import { csvOf } from './csv.js'
import { FateSign } from './fate-sign.js'
import { Filters, type Wanted, wants } from './filters.js'
import { jump } from './jump.js'
import { MessageActions } from './message-actions.js'
import { type Look, type Row, reasonOf, whoOf } from './rows.js'
import type { Seen } from './seen.js'

interface Props {
  readonly rows: readonly Row[]
  readonly seen: Seen
  /** The message to begin with. */
  readonly at?: string
  /** What they were, where this is not what was sent. */
  readonly was?: ReadonlyMap<string, Look>
}

export function List({ rows, seen, at, was }: Props) {
  const [wanted, setWanted] = useState<Wanted>({ look: null, text: '', changed: false })
  const [open, setOpen] = useState<string | null>(at ?? null)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => rows.filter((row) => wants(wanted, row, was)), [rows, wanted, was])
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 50,
    getItemKey: (index) => shown[index]?.brief.id ?? index,
    overscan: 6,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another message is asked for
  useEffect(() => {
    const index = at === undefined ? -1 : rows.findIndex(({ brief }) => brief.id === at)
    if (index < 0) return
    setWanted({ look: null, text: '', changed: false })
    setOpen(at ?? null)
    requestAnimationFrame(() => list.scrollToIndex(index, { align: 'center' }))
  }, [at])

  const drawn = list.getVirtualItems()
  const lines = was ? [] : (seen.kept.receipt.recall?.items ?? [])
  if (rows.length === 0)
    return (
      <section className="list">
        <Beyond lines={lines} />
        <p className="blank">{words.noRows}</p>
      </section>
    )
  return (
    <section className="list">
      <Beyond lines={lines} />
      <Filters rows={rows} wanted={wanted} want={setWanted} {...(was && { was })} />
      {shown.length === 0 && <p className="blank">{words.noMatch}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={box} className="table-box" tabIndex={0}>
        <table className="table" aria-rowcount={shown.length + 1} aria-label={words.title}>
          <thead>
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
            const row = shown[index] as Row
            const { id } = row.brief
            return (
              <tbody key={key} ref={list.measureElement} data-index={index} data-open={open === id}>
                <Line
                  row={row}
                  index={index}
                  was={was?.get(id)}
                  open={open === id}
                  toggle={() => setOpen(open === id ? null : id)}
                />
                {open === id && (
                  <tr>
                    <td colSpan={4}>
                      <MessageActions row={row} seen={seen} go={() => jump(seen, id)} />
                    </td>
                  </tr>
                )}
              </tbody>
            )
          })}
          <Space height={list.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </table>
      </div>
      <footer className="dim small">
        <p title={words.shares}>{words.shares}</p>
        <Copy text={() => csvOf(shown)} label={words.copyCsv} />
      </footer>
    </section>
  )
}

interface LineProps {
  readonly row: Row
  readonly index: number
  readonly was: Look | undefined
  readonly open: boolean
  toggle(): void
}

function Line({ row, index, was, open, toggle }: LineProps) {
  const { brief, look, whole, sent } = row
  const restore = look === 'current' ? 0 : Math.round(whole - sent)
  const place = words.position(brief.depth)
  const why = was && was !== look ? words.was(words.looks[was]) : reasonOf(row)
  return (
    <tr className="line" data-look={look} aria-rowindex={index + 2}>
      <td className="place">{place}</td>
      <td className="said">
        <button type="button" className="jump" aria-expanded={open} title={words.open(place)} onClick={toggle}>
          <b>{whoOf(brief)}</b> {brief.preview || '…'}
        </button>
      </td>
      <td className="why">
        <FateSign look={look} />
        <small title={why}>{why}</small>
      </td>
      <td className="amount">
        <b>{number(sent)}</b> / {number(whole)}
        {restore > 0 && <small title={words.restore(restore)}>+{number(restore)}</small>}
      </td>
    </tr>
  )
}

/** Room for the rows that are not drawn. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 ? (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  ) : null
