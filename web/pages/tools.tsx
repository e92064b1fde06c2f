/** The servers that tools come from: tested, added, watched over and removed. */
import { strings } from '../strings/pages.js'
import { toolWords as words } from '../strings/tools.js'
import { AddServer } from '../tools/add-server.js'
import { ServerRow } from '../tools/server-row.js'
import { useServers } from '../tools/use-servers.js'
import '../connect/connect.css'
import '../tools/tools.css'
import { Frame } from './frame.js'

interface Props {
  tell(text: string): void
  openList(): void
}

export function Tools({ tell, openList }: Props) {
  const servers = useServers()
  const { list, problem } = servers
  return (
    <Frame title={words.title} says={words.says} openList={openList}>
      <div className="connect">
        {problem !== null && (
          <p className="problem" role="alert">
            {list === null ? `${words.notHere}: ${problem}` : problem}
          </p>
        )}
        {list === null && problem === null && (
          <div className="skeleton tall" role="status" aria-label={strings.loading}>
            <i />
            <i />
          </div>
        )}
        {list && (
          <>
            <AddServer servers={servers} added={(name) => tell(words.added(name))} />
            <section className="connections">
              <h2>{words.servers}</h2>
              {list.length === 0 ? (
                <p className="dim">{words.none}</p>
              ) : (
                <ul>
                  {list.map((one) => (
                    <ServerRow
                      key={one.name}
                      one={one}
                      servers={servers}
                      removed={(name) => tell(words.removed(name))}
                    />
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </div>
    </Frame>
  )
}
