/** One conversation: its head, what was said, and where one writes. */
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { hasStatus, told } from './api.js'
import { actionsOf } from './chat/actions.js'
import { useBox } from './chat/box.js'
import { Composer } from './chat/composer.js'
import { type Screen, ScreenContext, useScreen } from './chat/context.js'
import { Head } from './chat/head.js'
import { editLast, useChatKeys } from './chat/keys.js'
import { NextSees, NextWarning, useNext } from './chat/next.js'
import { type Chat, openChat } from './chat/open-chat.js'
import { Pickers, type Settings, settingsOf } from './chat/pickers.js'
import { QueueList, useQueue } from './chat/queue.js'
import { roomOf, type StartProps } from './chat/start.js'
import { isOver } from './chat/state.js'
import { Transcript } from './chat/transcript.js'
import type { Opened } from './chat/views.js'
import type { Inspected } from './inspected.js'
import { Missing } from './pages/missing.js'
import { words } from './strings/chat.js'

export { Start } from './chat/start.js'

const Views = lazy(() => import('./chat/views.js').then(({ Views }) => ({ default: Views })))

interface Props extends StartProps {
  readonly id: string
  readonly branch: string
  readonly target: string | null
  readonly inspected: Inspected | null
  inspect(inspected: Inspected | null): void
}

export function Conversation({ id, branch, target, choices, changed, openList, inspected, inspect }: Props) {
  const tell = useStable(changed)
  const chat = useChat(id, branch, tell)
  const [opened, setOpened] = useState<Opened | null>(null)
  const look = useStable((answer: string, at?: string) => {
    const isShown = at === undefined && inspected?.answer === answer
    inspect(isShown ? null : { conversation: id, branch, answer, ...(at !== undefined && { at }) })
  })
  const screen = useMemo((): Screen => {
    const settings = () => {
      const { conversation } = chat.state.get()
      return settingsOf(settingsIn(conversation))
    }
    return { chat, actions: actionsOf(chat, settings, tell), look, open: setOpened, choices }
  }, [chat, look, tell, choices])
  useChatKeys(screen)

  const isMissing = useBox(chat.state, ({ error, conversation }) => conversation === null && hasStatus(error, 404, 410))
  if (isMissing) return <Missing title={words.missing} says={words.missingMore} openList={openList} />
  return (
    <ScreenContext value={screen}>
      <Head choices={choices} openList={openList} />
      <Line />
      <Transcript key={branch} target={target} inspected={inspected} />
      <Dock choices={choices} />
      <Suspense>
        {opened !== null && <Views opened={opened} choices={choices} close={() => setOpened(null)} />}
      </Suspense>
    </ScreenContext>
  )
}

/** Another branch of the same conversation begins with what is known of it. */
function useChat(id: string, branch: string, changed: () => void): Chat {
  const before = useRef<Chat | null>(null)
  const chat = useMemo(() => openChat(id, branch, changed, before.current?.state.get()), [id, branch, changed])
  before.current = chat
  useEffect(() => chat.begin(), [chat])
  return chat
}

function Line() {
  const line = useBox(useScreen().chat.state, (state) => state.line)
  if (line === 'open') return null
  return (
    <p className="banner" role="status">
      {words.lostLine}
    </p>
  )
}

const settingsIn = (found: Partial<Settings> | null): Settings => ({
  model: found?.model ?? null,
  policy: found?.policy ?? null,
  recall: found?.recall ?? null,
})

function Dock({ choices }: Pick<Props, 'choices'>) {
  const { chat, actions } = useScreen()
  const { error, run, conversation } = useBox(chat.state)
  const [text, setText] = useState('')
  const next = useNext(text)
  const settings = settingsIn(conversation)
  const queue = useQueue()
  return (
    <div className="dock">
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
          <button type="button" className="quiet" onClick={actions.forgive}>
            {words.dismiss}
          </button>
        </p>
      )}
      <QueueList {...queue} />
      <NextWarning next={next} />
      <Composer
        key={chat.id}
        draft={chat.id}
        running={run !== null && !isOver(run)}
        room={roomOf(choices)}
        stop={actions.stop}
        send={actions.say}
        queue={queue.add}
        editLast={editLast}
        heed={setText}
      >
        <Pickers choices={choices} {...settings} set={(change) => void actions.set(change).catch(() => {})} />
        <NextSees next={next} />
      </Composer>
    </div>
  )
}

/** The same function for as long as the component lives, so that it starts nothing again. */
function useStable<Given extends unknown[]>(work: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(work)
  latest.current = work
  return useRef((...given: Given) => latest.current(...given)).current
}
