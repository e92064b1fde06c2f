/** A service with keys asks for one, once. */
import { useState } from 'react'
import { keepKey } from '../api.js'
import { strings } from '../strings/pages.js'

export function KeyNeeded() {
  const [key, setKey] = useState('')
  return (
    <main className="centre">
      <title>{`${strings.keyNeeded} · ${strings.app}`}</title>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          keepKey(key.trim())
          location.reload()
        }}
      >
        <h1>{strings.keyNeeded}</h1>
        <p className="dim">{strings.keyMore}</p>
        <label>
          {strings.key}
          <input type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />
        </label>
        <button type="submit" className="primary" disabled={key.trim() === ''}>
          {strings.useKey}
        </button>
      </form>
    </main>
  )
}
