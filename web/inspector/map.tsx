/** The window as a picture: what it is made of, each message in it, and what stayed outside, all on one scale. */
import { useMemo, useState } from 'react'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { FateSign } from './fate-sign.js'
import { jump } from './jump.js'
import { Lane } from './lane.js'
import { isRoom, kindOf, partsOf, usedIn, wholeOf } from './parts.js'
import { type Receipt, type Row, reasonOf, whoOf } from './rows.js'
import type { Seen } from './seen.js'
import { crowded, leftSegment, type Segment, segmentOfPart, sentSegment } from './segments.js'
import { useWidth } from './use-width.js'

interface Props {
  readonly rows: readonly Row[]
  readonly receipt: Receipt
  readonly seen: Seen
}

const thinnest = 8

export function WindowMap({ rows, receipt, seen }: Props) {
  const [chosen, setChosen] = useState<Segment | null>(null)
  const [asked, setTrue] = useState<boolean | null>(null)
  const [box, width] = useWidth()
  const parts = useMemo(() => partsOf(receipt, rows), [receipt, rows])
  const left = useMemo(() => rows.filter((row) => row.whole - row.sent >= 1), [rows])
  const [used, whole] = [usedIn(parts), wholeOf(parts)]
  const notSent = left.reduce((sum, row) => sum + row.whole - row.sent, 0)
  // a window that is nearly empty says nothing at its true size
  const isTrue = asked ?? (used > whole / 4 || notSent > used)
  const scale = Math.max(1, isTrue ? Math.max(whole, notSent) : Math.min(whole, used * 1.12))
  const least = (scale / Math.max(1, width)) * thinnest

  const lanes = useMemo(() => {
    const shown = isTrue ? parts : cut(parts, scale)
    const sent = rows.filter((row) => row.sent >= 1)
    // the second lane begins where the first begins to speak of messages
    const lead = parts.filter(({ kind }) => kind === 'system' || kind === 'tools')
    const ordered = [...sent].sort((one, other) => rank(one) - rank(other) || one.brief.depth - other.brief.depth)
    return {
      window: shown.map(segmentOfPart),
      sent: [...lead.map(segmentOfPart), ...crowded(ordered.map(sentSegment), least)],
      left: within(crowded(left.map(leftSegment), least), scale),
    }
  }, [parts, rows, left, isTrue, scale, least])

  const show = { scale, chosen, choose: setChosen, go: (message: string) => jump(seen, message) }
  return (
    <div className="map" ref={box}>
      <fieldset className="choice">
        <legend className="hidden">{words.scale}</legend>
        {[false, true].map((value) => (
          <button
            key={String(value)}
            type="button"
            className="chip"
            aria-pressed={isTrue === value}
            onClick={() => setTrue(value)}
          >
            {value ? words.scaleTrue : words.scaleFit}
          </button>
        ))}
      </fieldset>
      <Lane
        title={words.mapWindow}
        note={words.usedOf(used, whole)}
        segments={lanes.window}
        torn={!isTrue && whole > scale}
        {...show}
      />
      <Lane title={words.mapSent} note={words.tokens(used)} segments={lanes.sent} {...show} />
      {left.length === 0 ? (
        <p className="dim">{words.mapNothing}</p>
      ) : (
        <Lane
          title={words.mapNotSent}
          note={words.tokens(notSent)}
          segments={lanes.left}
          torn={notSent > scale}
          not
          {...show}
        />
      )}
      <Detail chosen={chosen} go={show.go} />
      <ul className="legend">
        {parts.map(({ kind, tokens }) => (
          <li key={kind}>
            <i data-color={kind === 'message' ? 'crowd' : kind} />
            {words.kinds[kind]} <b>{number(tokens)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

const ranks = ['summary', 'pinned', 'message', 'recalled', 'current'] as const
const rank = (row: Row): number => ranks.indexOf(kindOf(row) as (typeof ranks)[number])

/** Those that begin before the edge. */
function within(segments: readonly Segment[], scale: number): readonly Segment[] {
  let end = 0
  return segments.filter(({ tokens }) => {
    end += tokens
    return end - tokens < scale
  })
}

/** Only as much of the free room as the picture has place for. */
function cut(parts: ReturnType<typeof partsOf>, scale: number): ReturnType<typeof partsOf> {
  const said = parts.filter((part) => !isRoom(part))
  const room = Math.max(0, scale - wholeOf(said))
  const free = parts.find(({ kind }) => kind === 'free')
  return free && room > 0 ? [...said, { kind: 'free', tokens: Math.min(room, free.tokens) }] : said
}

function Detail({ chosen, go }: { readonly chosen: Segment | null; go(message: string): void }) {
  const row = chosen?.rows[0]
  if (!chosen || !row)
    return <p className="detail dim">{chosen ? words.segment(chosen.label, chosen.tokens) : words.mapHint}</p>
  return (
    <div className="detail" aria-live="polite">
      <p>
        <FateSign look={row.look} />{' '}
        <b>
          {chosen.rows.length === 1
            ? `${words.position(row.brief.depth)} ${whoOf(row.brief)}`
            : words.crowd(chosen.short, chosen.rows.length)}
        </b>{' '}
        <span className="dim">
          {chosen.rows.length === 1 ? words.sentOf(row.sent, row.whole) : words.tokens(chosen.tokens)} · {reasonOf(row)}
        </span>
      </p>
      <p className="quote">{row.brief.preview || '…'}</p>
      <button type="button" className="quiet" onClick={() => go(row.brief.id)}>
        {words.goTo}
      </button>
    </div>
  )
}
