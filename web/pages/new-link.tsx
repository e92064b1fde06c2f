/** What a new link shows, and for how long. */
import { useState } from 'react'
import type { Branch } from '../../src/client/index.js'
import { api } from '../api.js'
import { Copy } from '../copy.js'
import { strings } from '../strings/pages.js'

interface Props {
  readonly conversation: string
  readonly branch: string
  readonly branches: readonly Branch[]
  made(share: string, url: string): void
  failed(error: unknown): void
}

const spans = [1, 7, 30, 90, 365]
const daySeconds = 86_400

export function NewLink({ conversation, branch, branches, made, failed }: Props) {
  const [chosen, setChosen] = useState(branch)
  const [mode, setMode] = useState<'snapshot' | 'live'>('snapshot')
  const [days, setDays] = useState(30)
  const [authors, setAuthors] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const make = async (): Promise<void> => {
    try {
      const request = { branch: chosen, mode, authors, expires_in: days * daySeconds }
      const share = await api.shares.create(conversation, request)
      const address = new URL(share.url, location.origin).href
      setUrl(address)
      made(share.id, address)
    } catch (error) {
      failed(error)
    }
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <fieldset className="modes">
        <legend>{strings.shareMode}</legend>
        {(['snapshot', 'live'] as const).map((one) => (
          <label key={one} className="mode">
            <input type="radio" name="mode" checked={mode === one} onChange={() => setMode(one)} />
            <span>
              {strings[one]}
              <small className="dim">{one === 'live' ? strings.liveMore : strings.snapshotMore}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="pair">
        <label>
          {strings.branch}
          <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {[...new Set([branch, ...branches.map(({ name }) => name)])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          {strings.expires}
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {spans.map((span) => (
              <option key={span} value={span}>
                {strings.days(span)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label className="check">
        <input type="checkbox" checked={authors} onChange={(event) => setAuthors(event.target.checked)} />
        {strings.authors}
      </label>
      <footer>
        <button type="submit" className="primary">
          {strings.makeLink}
        </button>
      </footer>
      {url !== null && (
        <div className="made" role="status">
          <p>{strings.linkMade}</p>
          <div>
            <input readOnly aria-label={strings.link} value={url} onFocus={(event) => event.target.select()} />
            <Copy text={url} />
            <a className="quiet" href={url} target="_blank" rel="noreferrer">
              {strings.openLink}
            </a>
          </div>
        </div>
      )}
    </form>
  )
}
