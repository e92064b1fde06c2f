/** One server: where it is, what it offers, and which of it may run. */
import { useState } from 'react'
import type { OfferedTools, ToolApproval, ToolServer } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { Icon } from '../icons.js'
import { toolWords as words } from '../strings/tools.js'
import { ApprovalPicker } from './approval.js'
import { toolOf } from './name.js'
import type { Servers } from './use-servers.js'

interface Props {
  readonly one: ToolServer
  readonly servers: Servers
  removed(name: string): void
}

export function ServerRow({ one, servers, removed }: Props) {
  const [asked, setAsked] = useState(false)
  const [offered, setOffered] = useState<OfferedTools | 'asking' | string | null>(null)
  const isOurs = one.from === 'app'
  const look = async (): Promise<void> => {
    if (offered !== null) return setOffered(null)
    setOffered('asking')
    await api.toolServers.check(one.name).then(setOffered, (error) => setOffered(told(error)))
  }
  const remove = async (): Promise<void> => {
    if (!asked) return setAsked(true)
    await servers.remove(one.name).then(() => removed(one.name), servers.fail)
  }
  const allow = (change: { approval?: ToolApproval; tools?: Record<string, ToolApproval> }): void => {
    servers
      .allow(one.name, change)
      .then(async () => {
        if (offered !== null) setOffered(await api.toolServers.check(one.name))
      })
      .catch(servers.fail)
  }
  return (
    <li className="server">
      <div className="server-head">
        <span className="initials" aria-hidden="true">
          <Icon name="tool" />
        </span>
        <div>
          <strong>{one.name}</strong>
          <p className="dim">
            <code>{one.url ?? one.command}</code>
          </p>
          {!isOurs && <p className="dim">{words.fromSettings}</p>}
        </div>
        <ApprovalPicker
          label={`${words.approval}: ${one.name}`}
          value={one.approval}
          disabled={!isOurs}
          set={(approval) => allow({ approval })}
        />
        <button type="button" className="button low" aria-expanded={offered !== null} onClick={() => void look()}>
          {offered === 'asking' ? words.looking : words.look}
        </button>
        {isOurs && (
          <button
            type="button"
            className={asked ? 'button low danger' : 'quiet'}
            aria-label={`${asked ? words.reallyRemove : words.remove} ${one.name}`}
            onClick={() => void remove()}
            onBlur={() => setAsked(false)}
          >
            {asked ? words.reallyRemove : words.remove}
          </button>
        )}
      </div>
      {typeof offered === 'string' && offered !== 'asking' && (
        <p className="refused" role="alert">
          {offered}
        </p>
      )}
      {typeof offered === 'object' && offered !== null && (
        <ul className="tool-list">
          {offered.tools.map(({ name, description, approval }) => (
            <li key={name}>
              <div>
                <strong>{toolOf(name).tool}</strong>
                <p className="dim">{description}</p>
              </div>
              <ApprovalPicker
                label={`${words.approval}: ${toolOf(name).tool}`}
                value={approval}
                disabled={!isOurs}
                set={(next) => allow({ tools: { [name]: next } })}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
