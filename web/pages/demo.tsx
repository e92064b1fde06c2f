/** The demo: what it shows, in small on the first screen, and that it is one. */
import { useEffect, useState } from 'react'
import type { Conversation, KeptReceipt, Message } from '../../src/client/index.js'
import { api } from '../api.js'
import { Icon } from '../icons.js'
import { Markdown } from '../markdown/markdown.js'
import { addressOf } from '../place.js'
import { type Missing, placesOf, useMissing } from '../receipt/missing.js'
import { sawOf, stretchesOf } from '../receipt/saw.js'
import { Strip } from '../receipt/strip.js'
import { words } from '../strings/demo.js'
import { strings } from '../strings/pages.js'
import { words as receipt } from '../strings/receipt.js'

export const isDemo = ({ meta }: Conversation): boolean => meta.demo === true

export const DemoStrip = ({ demo, remove }: { readonly demo: Conversation; remove(): void }) => (
  <aside className="strip" aria-label={strings.demoMark}>
    <span>{strings.demoSays}</span>
    <a className="quiet" href={guideAddress(demo.id)}>
      {words.guideMe}
    </a>
    <button type="button" className="quiet" onClick={remove}>
      {strings.demoRemove}
    </button>
  </aside>
)

export const guideAddress = (id: string): string => `${addressOf(id)}?guide=1`

export interface Shown {
  readonly question: Message
  readonly answer: Message
  readonly kept: KeptReceipt
  readonly missing: Missing | null
  /** The message that holds what is missing. */
  readonly lost: Message | null
}

/** The last answer of the demo, and what it could not see. Null until it is known, or when there is none. */
export function useDemo({ id }: Pick<Conversation, 'id'>): Shown | null {
  const [held, setHeld] = useState<Omit<Shown, 'missing' | 'lost'> | null>(null)
  const [lost, setLost] = useState<Message | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    Promise.all([
      api.messages.list(id, { branch: 'main', limit: 2 }, { signal }),
      api.receipts.list(id, { limit: 20 }, { signal }),
    ]).then(
      ([
        {
          items: [question, answer],
        },
        { items },
      ]) => {
        const kept = items.find(({ message_id }) => message_id === answer?.id)
        if (question && answer && kept && !signal.aborted) setHeld({ question, answer, kept })
      },
      () => {},
    )
    return () => leaving.abort()
  }, [id])
  const missing = useMissing(held?.kept ?? null)
  const first = missing?.details[0]?.message
  useEffect(() => {
    if (first === undefined) return
    let isGone = false
    api.messages.get(id, first).then(
      (message) => isGone || setLost(message),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [id, first])
  return held && { ...held, missing, lost }
}

/** A live example: the real answer, its real receipt, and the way to what it lost. */
export function Miniature({ demo }: { readonly demo: Conversation }) {
  const shown = useDemo(demo)
  if (!shown) return <section className="miniature" aria-busy="true" aria-label={words.example} />
  const { question, answer, kept, missing, lost } = shown
  const saw = sawOf(kept.receipt)
  const detail = missing?.details[0]
  return (
    <section className="miniature" aria-label={words.example}>
      <header>
        <span className="badge teal">{words.example}</span>
        <span className="dim">{words.exampleSays(saw.of)}</span>
        <span className="grow" />
        <a className="quiet" href={addressOf(demo.id)}>
          {strings.welcomeOpen}
        </a>
      </header>
      <div>
        <p className="asked">“{question.text}”</p>
        <Markdown text={answer.text} />
        <Strip stretches={stretchesOf(kept.receipt, placesOf(missing))} />
        <p className="figures">
          {receipt.saw} <b>{receipt.sawOf(saw.seen, saw.of)}</b> · {receipt.tokensOf(saw)}
          {detail && (
            <>
              {' · '}
              <b className="lost">{words.hotelMissing}</b>
            </>
          )}
        </p>
      </div>
      <div className="beside">
        {lost && (
          <>
            <h2>{words.leftOut(lost.depth)}</h2>
            <blockquote>
              <Markdown text={lost.text} />
            </blockquote>
          </>
        )}
        <a className="primary" href={guideAddress(demo.id)}>
          <Icon name="play" /> {words.find}
        </a>
        {detail && <p className="dim small">{words.findCost(missing?.costs.get(detail.message) ?? 0)}</p>}
      </div>
    </section>
  )
}
