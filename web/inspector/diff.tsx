/** This window beside another: what met another fate, what else changed, and where the requests part. */
import { useState } from 'react'
import type { ContextWindow, ReceiptDiff, WindowItem } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { words } from '../strings/inspector.js'
import { count as number, signed } from '../strings/number.js'
import { clockOf } from '../time.js'
import { FateSign } from './fate-sign.js'
import { type Shared, sharedBy, tokensOf } from './prefix.js'
import { type Look, reasonOf } from './rows.js'
import type { Seen } from './seen.js'
import { type Turns, useTurns } from './turns.js'
import { useAnswer } from './use-answer.js'

export function Diff({ seen }: { readonly seen: Seen }) {
  const found = useTurns(seen)
  const [asked, setAsked] = useState<string | null>(null)
  const { turns } = found
  if (found.error !== null) return <Failed error={found.error} />
  if (!turns) return <Waiting />
  const at = turns.findIndex(({ answer }) => answer === seen.answer)
  const options = optionsOf(found, seen)
  const other = options.find(({ id }) => id === asked)?.id ?? turns[at - 1]?.kept.id ?? options.at(-1)?.id
  if (other === undefined) return <p className="blank">{words.noOther}</p>
  return (
    <section className="diff">
      <label className="field">
        <span>{words.against}</span>
        <select value={other} onChange={(event) => setAsked(event.target.value)}>
          {options.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Between one={other} other={seen.kept.id} name={options.find(({ id }) => id === other)?.label ?? ''} />
    </section>
  )
}

function optionsOf({ turns, others }: Turns, seen: Seen): readonly { readonly id: string; readonly label: string }[] {
  const here = turns?.map(({ kept, number: at }) => ({
    id: kept.id,
    label: `${words.turn(at)}, ${clockOf(kept.at)}, ${kept.receipt.policy.name}`,
  }))
  const there = others.map(({ id, at, receipt }) => ({ id, label: `⎇ ${clockOf(at)}, ${receipt.policy.name}` }))
  return [...(here ?? []), ...there].filter(({ id }) => id !== seen.kept.id)
}

interface BetweenProps {
  readonly one: string
  readonly other: string
  readonly name: string
}

function Between({ one, other, name }: BetweenProps) {
  const { answer, error } = useAnswer(
    (signal) =>
      Promise.all([
        api.receipts.diff(one, other, { signal }),
        api.receipts.whatIf(one, {}, { signal }),
        api.receipts.whatIf(other, {}, { signal }),
      ]),
    `${one} ${other}`,
  )
  if (error !== null) return <Failed error={error} />
  if (!answer) return <Waiting />
  const [diff, before, after] = answer
  if (diff.same) return <p className="good">{words.diffSame}</p>
  const shared = sharedBy(before, after)
  return (
    <>
      <Prefix shared={shared} />
      <h3>{words.diffFates}</h3>
      <Fates messages={diff.messages} />
      <h3>{words.diffFacts}</h3>
      <table className="facts-table">
        <tbody>
          {diff.facts.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{words.facts[field] ?? field}</th>
              <td>{factOf(before)}</td>
              <td aria-hidden="true">→</td>
              <td>
                {factOf(after)}
                {typeof before === 'number' && typeof after === 'number' && (
                  <small className="dim"> {signed(after - before)}</small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{words.diffWire}</h3>
      <Sides before={before} after={after} shared={shared} name={name} />
    </>
  )
}

function Prefix({ shared: { tokens, ofTokens, bytes, ofBytes } }: { readonly shared: Shared }) {
  return (
    <div className="prefix">
      <div className="meter" aria-hidden="true">
        <i style={{ width: `${ofTokens === 0 ? 0 : (tokens / ofTokens) * 100}%` }} />
      </div>
      <p>
        <b>{tokens === 0 ? words.sharedNone : words.shared(tokens, ofTokens)}</b>
        {tokens > 0 && <span className="dim"> ({words.sharedBytes(bytes, ofBytes)})</span>}
      </p>
      {tokens > 0 && <p className="dim small">{words.sharedMore}</p>}
    </div>
  )
}

function Fates({ messages }: { readonly messages: ReceiptDiff['messages'] }) {
  if (messages.length === 0) return <p className="dim">{words.diffNoFates}</p>
  return (
    <ul className="moves">
      {messages.map(({ from, to, before, after }) => (
        <li key={from}>
          <b>{words.range(from, to)}</b>
          {before ? <FateSign look={before.fate as Look} /> : <span className="dim">{words.fresh}</span>}
          <span aria-hidden="true">→</span>
          {after ? <FateSign look={after.fate as Look} /> : <span className="dim">{words.gone}</span>}
          {after && <small className="dim">{reasonOf(after)}</small>}
        </li>
      ))}
    </ul>
  )
}

const most = 60

interface SidesProps {
  readonly before: ContextWindow
  readonly after: ContextWindow
  readonly shared: Shared
  /** Of the window before. */
  readonly name: string
}

function Sides({ before, after, shared, name }: SidesProps) {
  return (
    <>
      {shared.items > 0 && <p className="shared-run">{words.sharedRun(shared.items, shared.tokens)}</p>}
      <div className="sides">
        <Side title={name} items={before.items.slice(shared.items)} />
        <Side title={words.here} items={after.items.slice(shared.items)} />
      </div>
    </>
  )
}

function Side({ title, items }: { readonly title: string; readonly items: readonly WindowItem[] }) {
  return (
    <section aria-label={title}>
      <h4>
        {title} <small className="dim">{words.tokens(tokensOf(items))}</small>
      </h4>
      {items.length === 0 && <p className="dim small">{words.nothingLeft}</p>}
      <ol>
        {items.slice(0, most).map(({ role, text, tokens, index }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window is drawn once
          <li key={at} data-role={role}>
            <small className="dim">
              {index === null ? '' : `${words.position(index)} `}
              {words.who[role]} · {number(tokens)}
            </small>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {items.length > most && <p className="dim small">+{words.messages(items.length - most)}</p>}
    </section>
  )
}

const factOf = (value: unknown): string =>
  typeof value === 'number' ? number(value) : value === null ? '–' : String(value).slice(0, 40)

const Failed = ({ error }: { readonly error: unknown }) => (
  <p className="problem" role="alert">
    {told(error)}
  </p>
)

const Waiting = () => (
  <div className="skeleton" role="status" aria-label={words.loading}>
    <i />
    <i />
    <i />
  </div>
)
