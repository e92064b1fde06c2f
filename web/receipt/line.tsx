/** What an answer saw, in one line under it. */
import { useMemo } from 'react'
import type { KeptReceipt } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { words as chat } from '../strings/chat.js'
import { words } from '../strings/receipt.js'
import { type Missing, placesOf } from './missing.js'
import { sawOf, stretchesOf } from './saw.js'
import { Strip } from './strip.js'

interface Props {
  readonly kept: KeptReceipt
  readonly missing: Missing | null
  readonly isOpen: boolean
  open(): void
}

export function ReceiptLine({ kept: { receipt }, missing, isOpen, open }: Props) {
  const saw = useMemo(() => sawOf(receipt), [receipt])
  const stretches = useMemo(() => stretchesOf(receipt, placesOf(missing)), [receipt, missing])
  const first = missing?.details[0]
  return (
    <button type="button" className="receipt-line" aria-pressed={isOpen} onClick={open}>
      <span className="hidden">{chat.inspect}: </span>
      <Strip stretches={stretches} mini silent />
      <span>
        {words.saw} <b>{words.sawOf(saw.seen, saw.of)}</b>
      </span>
      <span className="hidden">, </span>
      <span className="tokens">{words.tokensOf(saw)}</span>
      {first && <span className="hidden">, </span>}
      {first && <span className="lost">{words.missing(first.text)}</span>}
      <Icon name="right" />
    </button>
  )
}
