/** Connecting a model: paste, test, pick, use. Below it, what runs on this computer and what is connected. */
import { useEffect, useRef } from 'react'
import type { System } from '../../src/client/index.js'
import { Connected, LocalServers } from '../connect/connected.js'
import { Paste } from '../connect/paste.js'
import { Pick } from '../connect/pick.js'
import { useConnections } from '../connect/use-connections.js'
import '../connect/connect.css'
import { goTo } from '../place.js'
import { connectWords as words } from '../strings/connect.js'
import { strings } from '../strings/pages.js'
import { Frame } from './frame.js'

interface Props {
  readonly system: System | null
  again(): Promise<void>
  tell(text: string): void
  openList(): void
}

export function Models({ system, again, tell, openList }: Props) {
  const connecting = useConnections()
  const field = useRef<HTMLInputElement>(null)
  const { list, problem, picking } = connecting
  const isOpen = list !== null
  useEffect(() => {
    if (isOpen && matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [isOpen])
  return (
    <Frame title={words.title} says={words.says} openList={openList}>
      <div className="connect">
        {problem !== null && (
          <p className="problem" role="alert">
            {words.notHere}: {problem}
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
            <Paste connecting={connecting} field={field} />
            {picking && (
              <Pick
                key={`${picking.label} ${picking.best}`}
                connecting={connecting}
                picking={picking}
                done={(model) => {
                  tell(words.used(model.label))
                  goTo(null)
                  void again()
                }}
              />
            )}
            <LocalServers connecting={connecting} list={list} />
            <Connected
              connecting={connecting}
              list={list}
              replace={() => field.current?.focus()}
              removed={(label) => {
                tell(words.removed(label))
                void again()
              }}
            />
          </>
        )}
        {system && <Answering system={system} />}
      </div>
    </Frame>
  )
}

/** Who answers now, and what this service is. */
function Answering({ system }: { readonly system: System }) {
  const usual = system.models.find(({ id }) => id === system.model)
  return (
    <section>
      <h2>{strings.about}</h2>
      <dl className="about">
        <dt>{strings.answersNow}</dt>
        <dd>
          {usual?.label ?? system.model} <code>{system.model}</code>
          {!system.ai && <p className="dim small">{strings.noAiSays}</p>}
        </dd>
        <dt>{strings.version}</dt>
        <dd>{system.version ?? '–'}</dd>
        <dt>{strings.storage}</dt>
        <dd>{system.storage ?? '–'}</dd>
        <dt>{strings.access}</dt>
        <dd>{strings.accesses[system.auth]}</dd>
      </dl>
    </section>
  )
}
