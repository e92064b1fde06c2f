/** What is not a conversation: pages, the archive, the theme. */
import { useState } from 'react'
import { hasKey, signOut } from '../api.js'
import { ask } from '../ask.js'
import { strings } from '../strings/pages.js'
import { setTheme, type Theme, theme } from '../theme.js'

interface Props {
  readonly archived: boolean
  setArchived(archived: boolean): void
}

export function SideFooter({ archived, setArchived }: Props) {
  return (
    <footer>
      <div className="side-links">
        <a className="quiet" href="#/memory">
          {strings.memories}
        </a>
        <a className="quiet" href="#/usage">
          {strings.usage}
        </a>
        <a className="quiet" href="#/models">
          {strings.models}
        </a>
        <button type="button" className="quiet" aria-pressed={archived} onClick={() => setArchived(!archived)}>
          {strings.archiveOf}
        </button>
        <a className="quiet" href="/docs">
          {strings.docs}
        </a>
      </div>
      <div className="side-links">
        <ThemePicker />
        <span className="grow" />
        {hasKey() && (
          <button type="button" className="quiet" onClick={signOut}>
            {strings.signOut}
          </button>
        )}
        <button
          type="button"
          className="square"
          aria-label={strings.shortcuts}
          title={strings.shortcuts}
          onClick={() => ask('shortcuts')}
        >
          ?
        </button>
      </div>
    </footer>
  )
}

function ThemePicker() {
  const [now, setNow] = useState(theme)
  return (
    <label className="picker">
      <span className="hidden">{strings.theme}</span>
      <select
        value={now}
        onChange={(event) => {
          setTheme(event.target.value as Theme)
          setNow(event.target.value as Theme)
        }}
      >
        {Object.entries(strings.themes).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
