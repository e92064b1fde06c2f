/** Servers that were found, and what is connected. */
import { useState } from 'react'
import type { Connection, ConnectionList } from '../../src/client/index.js'
import { connectWords as words } from '../strings/connect.js'
import { locale } from '../strings/number.js'
import type { Connecting } from './use-connections.js'

interface Props {
  readonly connecting: Connecting
  readonly list: ConnectionList
}

export const LocalServers = ({ connecting, list }: Props) => (
  <section className="connections">
    <h2>
      {words.local} {list.local.length > 0 && <span className="badge ok-badge">{words.free}</span>}
    </h2>
    {list.local.length === 0 ? (
      <p className="dim">
        {words.noLocal}{' '}
        <button type="button" className="link" onClick={() => void connecting.look()}>
          {words.lookAgain}
        </button>
      </p>
    ) : (
      <ul>
        {list.local.map(({ id, label, models }) => (
          <li key={id}>
            <Initials label={label} />
            <div>
              <strong>{label}</strong>
              <p className="dim running">{words.running(models)}</p>
            </div>
            <button
              type="button"
              className="button low"
              disabled={models.length === 0}
              aria-label={`${words.choose}: ${label}`}
              onClick={() => connecting.chooseLocal(id, label, models)}
            >
              {words.choose}
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
)

interface ConnectedProps extends Props {
  replace(): void
  removed(label: string): void
}

export function Connected({ connecting, list, replace, removed }: ConnectedProps) {
  if (list.items.length === 0) return null
  return (
    <section className="connections">
      <h2>{words.connected}</h2>
      <ul>
        {list.items.map((one) => (
          <Row
            key={one.id}
            one={one}
            usual={list.usual.startsWith(`${one.id}/`)}
            connecting={connecting}
            replace={replace}
            removed={removed}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps extends Omit<ConnectedProps, 'list'> {
  readonly one: Connection
  readonly usual: boolean
}

function Row({ one, usual, connecting, replace, removed }: RowProps) {
  const [asked, setAsked] = useState(false)
  const remove = async (): Promise<void> => {
    if (!asked) return setAsked(true)
    await connecting.remove(one.id).then(() => removed(one.label), connecting.fail)
  }
  return (
    <li>
      <Initials label={one.label} />
      <div>
        <strong>{one.label}</strong> {usual && <span className="badge seen-badge">{words.answersNow}</span>}
        {one.refused_at === null ? (
          <p className="dim">{one.from === 'settings' ? words.fromSettings : words.offered(one.models)}</p>
        ) : (
          <p className="refused">{words.refusedSince(timeOf(one.refused_at))}</p>
        )}
      </div>
      {one.ending !== null && <code className="dim ending">•••• {one.ending}</code>}
      {one.from === 'app' && (
        <>
          {one.refused_at === null ? (
            <button type="button" className="button low" onClick={() => void connecting.choose(one.id)}>
              {words.changeModel}
            </button>
          ) : (
            <button type="button" className="button low" onClick={replace}>
              {words.replace}
            </button>
          )}
          <button
            type="button"
            className={asked ? 'button low danger' : 'quiet'}
            aria-label={`${asked ? words.reallyRemove : words.remove} ${one.label}`}
            onClick={() => void remove()}
            onBlur={() => setAsked(false)}
          >
            {asked ? words.reallyRemove : words.remove}
          </button>
        </>
      )}
    </li>
  )
}

const Initials = ({ label }: { readonly label: string }) => (
  <span className="initials" aria-hidden="true">
    {label.replaceAll(/[^A-Z]/g, '').slice(0, 2) || label.charAt(0).toUpperCase()}
  </span>
)

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
