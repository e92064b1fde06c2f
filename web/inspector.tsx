/** What the model saw for one answer: as a list, as a map, and as the bytes that went out. */
import { type ReactNode, useEffect, useState } from 'react'
import type { KeptReceipt, Message, Replay } from '../src/client/index.js'
import { api, hasStatus, told } from './api.js'
import type { Inspected } from './conversation.js'
import { fatesOf, type Sort, sortOf } from './fates.js'
import { Icon } from './icons.js'
import { Copy } from './markdown.js'
import { goTo } from './place.js'
import { count, strings } from './strings.js'

interface Row {
  readonly message: Message
  readonly sort: Sort
  /** Tokens of the whole, and those that were sent. */
  readonly whole: number
  readonly sent: number
}

interface Seen {
  readonly kept: KeptReceipt
  readonly rows: readonly Row[]
}

type Tab = keyof typeof strings.tabs

export function Inspector({ inspected, close }: { readonly inspected: Inspected; close(): void }) {
  const [seen, setSeen] = useState<Seen | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tab, setTab] = useState<Tab>('list')

  useEffect(() => {
    const leaving = new AbortController()
    setSeen(null)
    setError(null)
    read(inspected, leaving.signal).then(
      (found) => leaving.signal.aborted || setSeen(found),
      (error: unknown) => leaving.signal.aborted || setError(error),
    )
    return () => leaving.abort()
  }, [inspected])

  return (
    <aside className="inspector" aria-label={strings.inspector}>
      <header>
        <h2>{strings.inspector}</h2>
        <button type="button" className="square" aria-label={strings.closeInspector} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {error !== null && (
        <p className="problem" role="alert">
          {hasStatus(error, 404) ? strings.noReceipt : told(error)}
        </p>
      )}
      {seen === null && error === null && (
        <div className="skeleton" role="status" aria-label={strings.loading}>
          <i />
          <i />
          <i />
        </div>
      )}
      {seen && (
        <>
          <Facts kept={seen.kept} />
          <div role="tablist" className="tabs" aria-label={strings.inspector}>
            {(Object.keys(strings.tabs) as Tab[]).map((name) => (
              <button
                key={name}
                id={`tab-${name}`}
                type="button"
                role="tab"
                aria-selected={tab === name}
                aria-controls="panel"
                onClick={() => setTab(name)}
              >
                {strings.tabs[name]}
              </button>
            ))}
          </div>
          <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="panel">
            {tab === 'list' && <List rows={seen.rows} inspected={inspected} />}
            {tab === 'map' && <WindowMap seen={seen} />}
            {tab === 'wire' && <Wire receipt={seen.kept.id} />}
          </div>
        </>
      )}
    </aside>
  )
}

/** A run has the name of its answer, and knows its receipt. */
async function read({ conversation, answer }: Inspected, signal: AbortSignal): Promise<Seen> {
  const run = await api.runs.get(conversation, answer, { signal })
  const [kept, path] = await Promise.all([
    api.receipts.get(run.receipt_id ?? '', { signal }),
    wholePath(conversation, answer, signal),
  ])
  const said = path.at(-1)
  const fates = fatesOf(kept)
  const shares = sharesOf(kept, path)
  const rows = path.flatMap((message): Row[] => {
    const sort = sortOf(message, said, kept, fates)
    if (!sort || sort.fate === 'answer') return []
    const [whole, sent] = sort.tokens ?? shares(message)
    return [{ message, sort, whole, sent }]
  })
  return { kept, rows }
}

/** A line tells the tokens of all its messages together: each has its share, by its size in the log. */
function sharesOf({ receipt }: KeptReceipt, path: readonly Message[]): (message: Message) => readonly [number, number] {
  const sums = receipt.lines.map(({ from, to }) =>
    path.slice(from, to + 1).reduce((sum, { tokens }) => sum + tokens, 0),
  )
  return ({ depth, tokens }) => {
    const at = receipt.lines.findIndex(({ from, to }) => from <= depth && depth <= to)
    const [before, after] = receipt.lines[at]?.tokens ?? [tokens, 0]
    const share = tokens / Math.max(1, sums[at] ?? tokens)
    return [before * share, after * share]
  }
}

async function wholePath(conversation: string, head: string, signal: AbortSignal): Promise<readonly Message[]> {
  let path: readonly Message[] = []
  let before: string | undefined
  for (let page = 0; page < 20; page++) {
    const query = { head, limit: 100, ...(before === undefined ? null : { before }) }
    const found = await api.messages.list(conversation, query, { signal })
    path = [...found.items, ...path]
    if (found.next_cursor === null) break
    before = found.next_cursor
  }
  return path
}

function Facts({ kept: { receipt } }: { readonly kept: KeptReceipt }) {
  const { totals, budget, policy, counter, model } = receipt
  const of = budget.tokens ?? model?.window ?? null
  const left = totals.dropped + totals.summarised + totals.folded
  const asked = receipt.current ? 1 : 0
  return (
    <dl className="facts">
      <div>
        <dt>{strings.sent(totals.messages - left + asked, totals.messages + asked)}</dt>
        <dd>{strings.tokensOf(count(budget.used), of === null ? null : count(of))}</dd>
      </div>
      <div>
        <dt>{policy.name}</dt>
        <dd>{strings.counted(counter.name, counter.exact)}</dd>
      </div>
    </dl>
  )
}

function List({ rows, inspected }: { readonly rows: readonly Row[]; readonly inspected: Inspected }) {
  return (
    <table className="fates">
      <thead>
        <tr>
          <th scope="col">{strings.column.place}</th>
          <th scope="col">{strings.column.text}</th>
          <th scope="col">{strings.column.fate}</th>
          <th scope="col" className="number">
            {strings.column.tokens}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ message, sort, whole, sent }) => (
          <tr key={message.id} data-fate={sort.fate}>
            <td className="dim">{message.depth + 1}</td>
            <td>
              <button
                type="button"
                className="jump"
                onClick={() => {
                  goTo(inspected.conversation, inspected.branch)
                  document.getElementById(`m-${message.id}`)?.scrollIntoView({ block: 'center' })
                }}
              >
                <b>{whoOf(message)}</b> {message.text.slice(0, 140) || '…'}
              </button>
            </td>
            <td>
              <span className="fate" data-fate={sort.fate}>
                {strings.fates[sort.fate]}
              </span>
              <small className="rule">{sort.rule.replaceAll('_', ' ')}</small>
            </td>
            <td className="number">
              {count(sent)}
              <small> / {count(whole)}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface Piece {
  readonly key: string
  readonly tokens: number
  readonly label: string
  readonly look: string
}

function WindowMap({ seen: { kept, rows } }: { readonly seen: Seen }) {
  const { budget, model } = kept.receipt
  const whole = Math.max(budget.tokens ?? model?.window ?? budget.used, budget.used)
  const { system, tools, response } = budget.reserve
  const total: Piece[] = [
    { key: 'used', tokens: budget.used, label: strings.parts.used, look: 'used' },
    { key: 'response', tokens: response, label: strings.parts.response, look: 'response' },
    { key: 'free', tokens: Math.max(0, whole - budget.used - response), label: strings.parts.free, look: 'free' },
  ]
  const pieceOf = ({ message, sort }: Row, tokens: number): Piece => ({
    key: message.id,
    tokens,
    label: `#${message.depth + 1} ${whoOf(message)}, ${strings.fates[sort.fate]}: ${message.text.slice(0, 80)}`,
    look: sort.fate === 'current' ? 'current' : 'role' in message ? (message.role ?? 'user') : 'system',
  })
  const sent: Piece[] = [
    { key: 'system', tokens: system, label: strings.parts.system, look: 'system' },
    { key: 'tools', tokens: tools, label: strings.parts.tools, look: 'tools' },
    ...rows.filter((row) => row.sent > 0).map((row) => pieceOf(row, row.sent)),
  ]
  const left = rows.filter((row) => row.whole > row.sent).map((row) => pieceOf(row, row.whole - row.sent))
  const scale = Math.max(sumOf(sent), sumOf(left), 1)
  return (
    <div className="map">
      <Lane title={strings.mapWindow} pieces={total} scale={Math.max(whole, sumOf(total))} note={count(whole)} legend />
      <Lane title={strings.mapSent} pieces={sent} scale={scale} note={count(sumOf(sent))} />
      {left.length === 0 ? (
        <p className="dim">{strings.mapNothing}</p>
      ) : (
        <Lane title={strings.mapNotSent} pieces={left} scale={scale} note={count(sumOf(left))} not />
      )}
      <ul className="legend">
        {(['user', 'assistant', 'current', 'system'] as const).map((look) => (
          <li key={look}>
            <i data-look={look} />
            {look === 'user' ? strings.you : look === 'assistant' ? strings.assistant : strings.parts[look]}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Lane({
  title,
  pieces,
  scale,
  note,
  not = false,
  legend = false,
}: {
  readonly title: string
  readonly pieces: readonly Piece[]
  readonly scale: number
  readonly note: string
  readonly not?: boolean
  readonly legend?: boolean
}) {
  const shown = pieces.filter(({ tokens }) => tokens > 0)
  return (
    <figure className="lane">
      <figcaption>
        {title} <small>{note}</small>
      </figcaption>
      <div className="bar" data-not={not} aria-hidden="true">
        {shown.map(({ key, tokens, label, look }) => (
          <i
            key={key}
            data-look={look}
            title={`${label} (${count(tokens)})`}
            style={{ width: `${(tokens / scale) * 100}%` }}
          />
        ))}
      </div>
      {legend && (
        <ul className="legend">
          {shown.map(({ key, tokens, label, look }) => (
            <li key={key}>
              <i data-look={look} />
              {label} {count(tokens)}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

const sumOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0)

function Wire({ receipt }: { readonly receipt: string }): ReactNode {
  const [made, setMade] = useState<Replay | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    api.receipts.replay(receipt).then(setMade, setError)
  }, [receipt])
  if (error !== null)
    return (
      <p className="problem" role="alert">
        {told(error)}
      </p>
    )
  if (!made) return <div className="skeleton" role="status" aria-label={strings.loading} />
  const text = typeof made.request === 'string' ? made.request : JSON.stringify(made.request, null, 2)
  return (
    <>
      <p className={made.same ? 'good' : 'problem'}>{made.same ? strings.wireSame : strings.wireOther}</p>
      <figure className="code">
        <figcaption>
          <span>
            {strings.wireText}, SHA-256 {made.after.hash.slice(0, 12)}…
          </span>
          <Copy text={text} />
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </figure>
    </>
  )
}

const whoOf = (message: Message): string => {
  if (message.kind === 'summary') return strings.summary
  if (message.kind === 'note') return strings.note
  if (message.kind === 'result') return strings.tool
  return message.role === 'user' ? strings.you : message.role === 'assistant' ? strings.assistant : strings.system
}
