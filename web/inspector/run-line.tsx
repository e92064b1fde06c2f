/** One row of the list: a message, or a run of messages that fared alike. */
import { type ReactNode, useState } from 'react'
import { Icon } from '../icons.js'
import { decide } from '../mark.js'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { words as receipt } from '../strings/receipt.js'
import { FateSign } from './fate-sign.js'
import { isLost, type Look, type Row, reasonOf, whoOf } from './rows.js'
import type { Run } from './runs.js'
import type { Seen } from './seen.js'

interface RunProps {
  readonly run: Run
  readonly open: boolean
  readonly seen: Seen
  toggle(): void
}

export function RunLine({ run, open, seen, toggle }: RunProps) {
  const { look, rows, whole, sent } = run
  const [busy, setBusy] = useState(false)
  const lost = rows.filter((row) => isLost(row) && !row.brief.pinned)
  const bringAll = async (): Promise<void> => {
    setBusy(true)
    try {
      await decide(
        seen.conversation,
        lost.map(({ brief }) => brief.id),
        { pinned: true },
      )
    } finally {
      setBusy(false)
    }
  }
  const first = rows[0] as Row
  return (
    <tr className="run" data-look={look}>
      <td className="place">{words.span(first.brief.depth, rows.at(-1)?.brief.depth ?? 0)}</td>
      <td className="said">
        <button type="button" className="fold" aria-expanded={open} onClick={toggle}>
          <Icon name={open ? 'down-small' : 'right'} />
          <FateSign look={look} />
          <span className="dim">{words.runOf(rows.length, reasonOf(first))}</span>
        </button>
      </td>
      <td className="amount">
        {open && lost.length > 0 ? (
          <button type="button" className="button low" disabled={busy} onClick={() => void bringAll()}>
            {receipt.bringAll} <span className="cost">{receipt.cost(whole)}</span>
          </button>
        ) : (
          amountOf(look, whole, sent)
        )}
      </td>
    </tr>
  )
}

interface LineProps {
  readonly row: Row
  readonly seen: Seen
  /** Not under the heading of a run. */
  readonly isAlone: boolean
  readonly was: Look | undefined
  readonly open: boolean
  readonly children: ReactNode
  toggle(): void
}

export function Line({ row, seen, isAlone, was, open, toggle, children }: LineProps) {
  const { brief, look, whole, sent } = row
  const place = words.position(brief.depth)
  const changed = was !== undefined && was !== look
  return (
    <tr className="line" data-look={look} data-alone={isAlone}>
      <td className="place">{place}</td>
      <td className="said">
        <button type="button" className="jump" aria-expanded={open} title={words.open(place)} onClick={toggle}>
          {isAlone && <FateSign look={look} bare />}
          <b>{whoOf(brief)}</b> <span className="preview">{brief.preview || '…'}</span>
        </button>
        {changed && <small className="was">{words.was(words.looks[was])}</small>}
        {children}
        {(isAlone || row.recall) && !open && <small className="why dim">{reasonOf(row)}</small>}
      </td>
      <td className="amount">
        <span className="tokens">{amountOf(look, whole, sent)}</span>
        {!open && isLost(row) && !brief.pinned && (
          <button
            type="button"
            className="button low quick"
            onClick={() => void decide(seen.conversation, [brief.id], { pinned: true }).catch(() => {})}
          >
            <Icon name="back" /> {receipt.bringBack} <span className="cost">{receipt.cost(whole)}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

/** What it costs to bring it back, what is left of it, or what it took. */
function amountOf(look: Look, whole: number, sent: number): string {
  if (look === 'dropped' || look === 'excluded' || look === 'summarised') return receipt.cost(whole)
  if (Math.round(whole) === Math.round(sent)) return number(sent)
  return words.shrunk(whole, sent)
}
