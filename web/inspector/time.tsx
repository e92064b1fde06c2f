/** How full each window was, turn by turn. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { told } from '../api.js'
import { rewrite } from '../place.js'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { isRoom, type Kind, order, type Part, usedIn } from './parts.js'
import type { Seen } from './seen.js'
import { nextOf } from './tabs.js'
import { type Turn, useTurns } from './turns.js'

export function Time({ seen }: { readonly seen: Seen }) {
  const { turns, error, hasEarlier, earlier } = useTurns(seen)
  const plot = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the bars are there
  useEffect(() => {
    plot.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [turns === null, seen.answer])

  if (error !== null)
    return (
      <p className="problem" role="alert">
        {told(error)}
      </p>
    )
  if (!turns)
    return (
      <div className="skeleton" role="status" aria-label={words.loading}>
        <i />
        <i />
        <i />
      </div>
    )
  const here = Math.max(
    0,
    turns.findIndex(({ answer }) => answer === seen.answer),
  )
  const press = (event: KeyboardEvent): void => {
    const bars = [...(plot.current?.querySelectorAll<HTMLElement>('.turn') ?? [])]
    const next = nextOf(event.key, bars.indexOf(document.activeElement as HTMLElement), bars.length)
    if (next === null) return
    event.preventDefault()
    bars[next]?.focus()
  }
  const fullest = Math.max(1, ...turns.map(({ parts }) => usedIn(parts)))
  // a limit far above would leave no bar to be seen
  const limits = turns.map(limitOf).filter((limit) => limit !== null)
  const top = Math.max(fullest, ...limits.filter((limit) => limit <= 4 * fullest))
  const beyond = limits.filter((limit) => limit > top)
  const found = new Set(turns.flatMap(({ parts }) => parts.filter(isSaid).map(({ kind }) => kind)))
  const kinds = order.filter((kind) => found.has(kind))
  const now = turns[here]
  return (
    <section className="time">
      <h3>{words.timeTitle}</h3>
      <p className="dim small">{turns.length < 2 ? words.timeOne : words.timeHint}</p>
      <div className="plot-frame">
        <ol className="axis" aria-hidden="true">
          <li>{number(top)}</li>
          <li>{number(top / 2)}</li>
          <li>0</li>
        </ol>
        <div className="plot" ref={plot} role="toolbar" aria-label={words.timeTitle} onKeyDown={press}>
          {hasEarlier && (
            <button type="button" className="quiet earlier" onClick={earlier}>
              {words.timeEarlier}
            </button>
          )}
          {turns.map((turn, at) => (
            <Bar key={turn.kept.id} turn={turn} before={turns[at - 1]} top={top} here={at === here} />
          ))}
        </div>
      </div>
      {limits.length > 0 && (
        <p className="dim small limits">
          <i aria-hidden="true" /> {beyond.length === 0 ? words.timeLimit : words.timeBeyond(Math.min(...beyond))}
        </p>
      )}
      <ul className="legend">
        {kinds.map((kind) => (
          <li key={kind}>
            <i data-color={colorOf(kind)} />
            {words.kinds[kind]}
          </li>
        ))}
      </ul>
      {now && <Changes turns={turns} />}
    </section>
  )
}

/** Tokens that the whole request may take. */
const limitOf = ({ kept: { receipt } }: Turn): number | null => receipt.request.budget ?? receipt.request.window

const isSaid = (part: Part): boolean => !isRoom(part)
const colorOf = (kind: Kind): string => (kind === 'message' ? 'crowd' : kind)

interface BarProps {
  readonly turn: Turn
  readonly before: Turn | undefined
  readonly top: number
  readonly here: boolean
}

function Bar({ turn, before, top, here }: BarProps) {
  const { kept, answer, number: at, parts } = turn
  const { request } = kept.receipt
  const limit = limitOf(turn)
  const marks = marksOf(turn, before)
  const label = [words.timeBar(at, request.used, request.window), ...marks.map(({ text }) => text)].join('; ')
  return (
    <button
      type="button"
      className="turn"
      aria-label={label}
      title={label}
      aria-current={here}
      tabIndex={here ? 0 : -1}
      onClick={() => rewrite({ answer, tab: 'time', at: null })}
    >
      <span className="marks" aria-hidden="true">
        {marks.map(({ sign }) => (
          <i key={sign}>{sign}</i>
        ))}
      </span>
      <span className="column">
        {limit !== null && limit <= top && <i className="limit" style={{ bottom: `${(limit / top) * 100}%` }} />}
        <span className="stack" style={{ height: `${(usedIn(parts) / top) * 100}%` }}>
          {parts.filter(isSaid).map(({ kind, tokens }) => (
            <i key={kind} data-color={colorOf(kind)} style={{ flexGrow: tokens }} />
          ))}
        </span>
      </span>
      <span className="tick" aria-hidden="true">
        {at}
      </span>
    </button>
  )
}

interface Mark {
  readonly sign: string
  readonly text: string
}

/** What is other than at the turn before. */
function marksOf({ kept }: Turn, before: Turn | undefined): readonly Mark[] {
  if (!before) return []
  const [now, then] = [kept.receipt, before.kept.receipt]
  const model = now.model?.id ?? null
  const marks: (Mark | false)[] = [
    now.policy.hash !== then.policy.hash && { sign: '◇', text: words.marks.policy(now.policy.name) },
    model !== null && model !== then.model?.id && { sign: '○', text: words.marks.model(model) },
    now.totals.summarised > then.totals.summarised && { sign: '▤', text: words.marks.summary(now.totals.summarised) },
    now.totals.dropped > 0 && then.totals.dropped === 0 && { sign: '∅', text: words.marks.dropped },
  ]
  return marks.filter((mark) => mark !== false)
}

/** The same marks in words. */
function Changes({ turns }: { readonly turns: readonly Turn[] }) {
  const told = turns.flatMap((turn, at) => marksOf(turn, turns[at - 1]).map((mark) => ({ turn, mark })))
  if (told.length === 0) return null
  return (
    <ul className="changes">
      {told.map(({ turn, mark }) => (
        <li key={`${turn.kept.id}${mark.sign}`}>
          <i aria-hidden="true">{mark.sign}</i>
          <button
            type="button"
            className="quiet"
            onClick={() => rewrite({ answer: turn.answer, tab: 'time', at: null })}
          >
            {words.turn(turn.number)}
          </button>
          {mark.text}
        </li>
      ))}
    </ul>
  )
}
