/** What holds everywhere, in one place: how it looks, who answers, which tools there are, and what becomes of the data. */
import { type ReactNode, useEffect, useState } from 'react'
import type { System } from '../../src/client/index.js'
import { api, forget, hasKey, signOut, told } from '../api.js'
import { ask } from '../ask.js'
import { type Language, language, languages, setLanguage } from '../language.js'
import { saveAs } from '../save.js'
import { strings } from '../strings/pages.js'
import { settingsWords as words } from '../strings/settings.js'
import { setTheme, type Theme, theme } from '../theme.js'
import { Frame } from './frame.js'
import { KeyList } from './shortcuts.js'
import './settings.css'

interface Props {
  readonly system: System | null
  tell(text: string): void
  openList(): void
}

export function SettingsPage({ system, tell, openList }: Props) {
  return (
    <Frame title={words.title} says={words.says} openList={openList}>
      <div className="settings">
        <Part title={words.appearance}>
          <Appearance />
        </Part>
        <Part title={words.models}>
          <Line says={modelSays(system)}>
            <a className="button low" href="#/models">
              {words.openModels}
            </a>
          </Line>
        </Part>
        <Part title={words.tools}>
          <Line says={words.toolsNow(useToolCount())}>
            <a className="button low" href="#/tools">
              {words.openTools}
            </a>
          </Line>
        </Part>
        <Part title={words.data}>
          <Data tell={tell} />
        </Part>
        <Part title={words.shortcuts}>
          <div className="settings-keys">
            <KeyList />
          </div>
        </Part>
        {system && (
          <Part title={words.about}>
            <dl className="about">
              <dt>{strings.version}</dt>
              <dd>{system.version ?? '–'}</dd>
              <dt>{strings.storage}</dt>
              <dd>{system.storage ?? '–'}</dd>
              <dt>{strings.access}</dt>
              <dd>
                {strings.accesses[system.auth]}{' '}
                {hasKey() && (
                  <button type="button" className="button low" onClick={signOut}>
                    {strings.signOut}
                  </button>
                )}
              </dd>
              <dt>{strings.docs}</dt>
              <dd>
                <a href="/docs">{words.api}</a>
              </dd>
            </dl>
          </Part>
        )}
      </div>
    </Frame>
  )
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    <div className="settings-card">{children}</div>
  </section>
)

const Line = ({ says, children }: { readonly says: string; readonly children: ReactNode }) => (
  <div className="settings-line">
    <p>{says}</p>
    {children}
  </div>
)

function Appearance() {
  const [now, setNow] = useState(theme)
  return (
    <>
      <fieldset className="settings-line">
        <legend className="hidden">{words.theme}</legend>
        <p aria-hidden="true">{words.theme}</p>
        <div className="segments">
          {Object.entries(strings.themes).map(([name, label]) => (
            <label key={name}>
              <input
                type="radio"
                name="theme"
                checked={now === name}
                onChange={() => {
                  setTheme(name as Theme)
                  setNow(name as Theme)
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Line says={words.languageSays}>
        <label>
          <span className="hidden">{words.language}</span>
          <select
            className="settings-select"
            value={language()}
            onChange={({ target }) => setLanguage(target.value as Language)}
          >
            {Object.entries(languages).map(([name, label]) => (
              <option key={name} value={name} lang={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </Line>
    </>
  )
}

function Data({ tell }: Pick<Props, 'tell'>) {
  const [busy, setBusy] = useState(false)
  const take = async (): Promise<void> => {
    setBusy(true)
    try {
      saveAs(await api.exportAll(), 'throughline.jsonl')
    } catch (error) {
      tell(told(error))
    }
    setBusy(false)
  }
  return (
    <>
      <Line says={words.importSays}>
        <button type="button" className="button low" onClick={() => ask('import')}>
          {words.importDo}
        </button>
      </Line>
      <Line says={words.exportSays}>
        <button type="button" className="button low" disabled={busy} onClick={() => void take()}>
          {busy ? words.exporting : words.exportDo}
        </button>
      </Line>
      {!hasKey() && (
        <Line says={words.browserSays}>
          <button
            type="button"
            className="button low"
            onClick={() => {
              forget()
              tell(words.browserDone)
            }}
          >
            {words.browserDo}
          </button>
        </Line>
      )}
    </>
  )
}

function modelSays(system: System | null): string {
  if (!system) return strings.loading
  if (!system.ai) return words.modelNone
  return words.modelNow(system.models.find(({ id }) => id === system.model)?.label ?? system.model)
}

function useToolCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    api.tools().then(
      ({ items }) => setCount(items.length),
      () => {},
    )
  }, [])
  return count
}
