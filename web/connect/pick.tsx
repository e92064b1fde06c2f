/** The models that a provider offers, one of them to begin with. */
import { useState } from 'react'
import type { OfferedModel } from '../../src/client/index.js'
import { goTo } from '../place.js'
import { connectWords as words } from '../strings/connect.js'
import type { Connecting, Picking } from './use-connections.js'

interface Props {
  readonly connecting: Connecting
  readonly picking: Picking
  /** The model answers now. */
  done(model: OfferedModel): void
}

/** With more than so many there is a field to find one. */
const few = 8
/** Most that are drawn at once. */
const most = 200

export function Pick({ connecting, picking, done }: Props) {
  const { models } = picking
  const [chosen, setChosen] = useState(picking.best)
  const [filter, setFilter] = useState('')
  const [busy, setBusy] = useState(false)
  const model = models.find(({ id }) => id === chosen)
  const wanted = filter.trim().toLowerCase()
  const shown = models.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(wanted)).slice(0, most)
  const use = async (): Promise<void> => {
    if (!model || busy) return
    setBusy(true)
    try {
      await connecting.use(model.id)
      done(model)
    } catch (error) {
      connecting.fail(error)
      setBusy(false)
    }
  }
  if (models.length === 0) return null
  return (
    <form
      className="pick"
      onSubmit={(event) => {
        event.preventDefault()
        void use()
      }}
    >
      <div className="pick-head">
        <h2 id="pick-title">{words.pick}</h2>
        {models.length > few && (
          <input
            type="search"
            value={filter}
            placeholder={words.filter}
            aria-label={words.filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        )}
      </div>
      <div className="pick-list" role="radiogroup" aria-labelledby="pick-title">
        <div className="pick-row pick-columns" aria-hidden="true">
          <span />
          <span>{words.models}</span>
          <span>{words.window}</span>
          <span>{words.price}</span>
        </div>
        {shown.map((one) => (
          <label key={one.id} className="pick-row">
            <input
              type="radio"
              name="model"
              value={one.id}
              checked={one.id === chosen}
              onChange={() => setChosen(one.id)}
            />
            <strong>{one.label}</strong>
            <span className="dim">{one.window === null ? words.unknown : short(one.window)}</span>
            <span className="dim">
              {one.price === null
                ? words.unknown
                : `${words.dollars(one.price.input)} / ${words.dollars(one.price.output)}`}
            </span>
            <span className="pick-marks">
              {one.tools && <span className="badge plain">{words.tools}</span>}
              {one.images && <span className="badge plain">{words.images}</span>}
            </span>
          </label>
        ))}
        {shown.length === 0 && <p className="dim pick-none">{words.noMatch}</p>}
      </div>
      <footer>
        <span className="dim">{words.changeLater}</span>
        <span className="grow" />
        <button type="button" className="quiet" onClick={() => goTo(null)}>
          {words.notNow}
        </button>
        <button type="submit" className="primary" disabled={!model || busy}>
          {busy ? words.using : words.use(model?.label ?? '')}
        </button>
      </footer>
    </form>
  )
}

const short = (tokens: number): string =>
  tokens >= 1_000_000
    ? `${+(tokens / 1_000_000).toFixed(1)}M`
    : tokens >= 1_000
      ? `${Math.round(tokens / 1_000)}k`
      : `${tokens}`
