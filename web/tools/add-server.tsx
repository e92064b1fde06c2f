/** The field for a server: what it is called, whether it works, what it offers, and adding it. */
import { useId, useState } from 'react'
import type { NewToolServer, ToolApproval } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { toolWords as words } from '../strings/tools.js'
import { ApprovalPicker } from './approval.js'
import { givenIn, isName } from './given.js'
import { toolOf } from './name.js'
import type { Servers } from './use-servers.js'

interface Props {
  readonly servers: Servers
  added(name: string): void
}

export function AddServer({ servers, added }: Props) {
  const { trial } = servers
  const [typed, setTyped] = useState('')
  const [named, setNamed] = useState<string | null>(null)
  const [token, setToken] = useState('')
  const [approval, setApproval] = useState<ToolApproval>('ask')
  const says = useId()
  const given = givenIn(typed)
  const name = named ?? given?.name ?? 'tools'
  const wrong = typed.trim() !== '' && !given ? words.wrongJson : given && !isName(name) ? words.wrongName : null
  const busy = trial.type === 'testing' || trial.type === 'adding'
  const refused = trial.type === 'refused' ? trial.why : wrong
  const server = (): NewToolServer | null => {
    if (!given || wrong !== null) return null
    const { name: _, ...address } = given
    const headers = { ...address.headers, ...(token !== '' && { authorization: `Bearer ${token}` }) }
    return { ...address, server: name, approval, ...(address.url !== undefined && { headers }) }
  }
  const change = (text: string): void => {
    setTyped(text)
    servers.forget()
  }
  const add = async (): Promise<void> => {
    const one = server()
    if (!one || !(await servers.add(one))) return
    added(name)
    setTyped('')
    setNamed(null)
    setToken('')
  }
  return (
    <form
      className="paste"
      data-state={refused === null ? trial.type : 'refused'}
      onSubmit={(event) => {
        event.preventDefault()
        const one = server()
        if (one && !busy) void servers.test(one)
      }}
    >
      <div className="paste-field">
        <Icon name="tool" />
        <input
          value={typed}
          placeholder={words.placeholder}
          aria-label={words.field}
          aria-invalid={refused !== null}
          aria-describedby={says}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => change(target.value)}
        />
        <button type="submit" className="button" disabled={!given || wrong !== null || busy}>
          {trial.type === 'testing' ? words.testing : trial.type === 'none' ? words.test : words.testAgain}
        </button>
      </div>
      <div className="paste-says" id={says}>
        <span role={refused === null ? 'status' : 'alert'} className={refused === null ? 'works' : 'refused'}>
          {refused}
          {trial.type === 'works' && (
            <>
              <Icon name="check" /> {words.works}{' '}
              <span className="dim">{words.answered(trial.offered.milliseconds, trial.offered.tools.length)}</span>
            </>
          )}
        </span>
        {typed === '' && <span className="dim kept">{words.hint}</span>}
      </div>
      {given && (
        <div className="server-more">
          <label>
            {words.name}
            <input value={name} maxLength={32} onChange={({ target }) => setNamed(target.value)} />
          </label>
          {given.url !== undefined && (
            <label>
              {words.token}
              <input
                type="password"
                value={token}
                autoComplete="off"
                title={words.tokenKept}
                onChange={({ target }) => setToken(target.value)}
              />
            </label>
          )}
          <div>
            <span aria-hidden="true">{words.approval}</span>
            <ApprovalPicker label={words.approval} value={approval} set={setApproval} />
          </div>
        </div>
      )}
      {trial.type === 'works' && (
        <section className="connections">
          <h2>{words.offers}</h2>
          <ul className="tool-list">
            {trial.offered.tools.map((tool) => (
              <li key={tool.name}>
                <div>
                  <strong>{toolOf(tool.name).tool}</strong>
                  <p className="dim">{tool.description}</p>
                </div>
              </li>
            ))}
          </ul>
          <div className="server-add">
            <button type="button" className="primary" onClick={() => void add()}>
              {words.add(name)}
            </button>
          </div>
        </section>
      )}
    </form>
  )
}
