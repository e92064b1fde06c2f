/** One number, one strip, one sentence. */
import { useMemo } from 'react'
import { type Missing, placesOf } from '../receipt/missing.js'
import { sawOf, stretchesOf } from '../receipt/saw.js'
import { Strip } from '../receipt/strip.js'
import { words } from '../strings/inspector.js'
import { kilo, count as number } from '../strings/number.js'
import type { Seen } from './seen.js'

interface Props {
  readonly seen: Seen
  readonly missing: Missing | null
  raise(): void
}

export function Hero({ seen: { kept, rows }, missing, raise }: Props) {
  const { receipt } = kept
  const saw = useMemo(() => sawOf(receipt), [receipt])
  const stretches = useMemo(() => stretchesOf(receipt, placesOf(missing)), [receipt, missing])
  const ownWish = rows.filter(({ look }) => look === 'excluded').length
  const cut = saw.left - ownWish
  const reason = cut > 0 ? words.reason(receipt) : null
  return (
    <section className="hero">
      <p className="big">
        <b className="figure">{number(saw.seen)}</b> <span>{words.ofMessages(saw.of)}</span>
        <span className="tokens">
          <b>{kilo(saw.used)}</b> {words.ofTokens(saw.window)}
        </span>
      </p>
      <Strip stretches={stretches} />
      <p className="ends" aria-hidden="true">
        <span>{words.firstMessage}</span>
        <span>{words.yourQuestion}</span>
      </p>
      <p className="say">
        {cut > 0 && (
          <>
            <b className="lost">{words.wereLeft(cut)}</b>
            {reason !== null && ` ${reason}`}
            {saw.summarised > 0 || ownWish > 0 ? ', ' : '. '}
          </>
        )}
        {ownWish > 0 && `${words.byYou(ownWish)}${saw.summarised > 0 ? ', ' : '. '}`}
        {saw.summarised > 0 && words.inSummary(saw.summarised, saw.left > 0)}
        {saw.left + saw.summarised === 0 &&
          (receipt.totals.clipped + receipt.totals.folded > 0
            ? words.onlyShortened(receipt.totals.clipped + receipt.totals.folded)
            : words.allSeen)}
        {cut > 0 && receipt.budget.limit === 'tokens' && (
          <button type="button" className="link" onClick={raise}>
            {words.raise}
          </button>
        )}
        {receipt.model?.source === 'assumed' && words.assumed(receipt.model)}
      </p>
    </section>
  )
}
