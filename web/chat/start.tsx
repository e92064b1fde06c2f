/** Before anything was said. */
import { type ReactNode, useState } from 'react'
import { api, told } from '../api.js'
import type { Choices } from '../app.js'
import { Icon } from '../icons.js'
import { goTo } from '../place.js'
import { words } from '../strings/chat.js'
import { type Attachment, partsOf, type Room, roomIn } from './attachment.js'
import { Composer } from './composer.js'
import { ListButton } from './head.js'
import { isAi, NoAi, Pickers, type Settings, settingsOf } from './pickers.js'
import { upload } from './upload.js'
import { Uploading } from './uploading.js'

export interface StartProps {
  readonly choices: Choices | null
  changed(): void
  openList(): void
}

export function Start({ choices, changed, openList, children }: StartProps & { readonly children?: ReactNode }) {
  const [settings, setSettings] = useState<Settings>({ model: null, policy: null, recall: null })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<number | null>(null)
  const send = async (text: string, files: readonly Attachment[]): Promise<void> => {
    setBusy(true)
    try {
      const { id } = await api.conversations.create(settingsOf(settings))
      const kept = await upload(id, files, setSent)
      const message = files.length === 0 ? text : { role: 'user' as const, parts: partsOf(text, kept) }
      await api.runs.start(id, { message })
      changed()
      goTo(id)
    } catch (error) {
      setError(error)
      setBusy(false)
      setSent(null)
      throw error
    }
  }
  return (
    <>
      <header className="head">
        <ListButton open={openList} />
        <span className="grow" />
        {!isAi(choices, settings.model) && <NoAi choices={choices} />}
      </header>
      <div className="start">
        <h1>{words.hello}</h1>
        <p className="lead">{words.helloMore}</p>
        {error !== null && (
          <p className="problem" role="alert">
            {told(error)}
          </p>
        )}
        <Uploading sent={sent} />
        <Composer draft="new" running={busy} room={roomOf(choices)} send={send} stop={() => {}}>
          <Pickers choices={choices} {...settings} set={(change) => setSettings({ ...settings, ...change })} />
        </Composer>
        {choices && !choices.system.ai && (
          <p className="hint">
            {words.connect}{' '}
            <a className="button low" href="#/models">
              <Icon name="key" /> {words.pasteKey}
            </a>
          </p>
        )}
        {children}
      </div>
    </>
  )
}

/** As long as the service has not said how much it takes, as much as it takes by itself. */
export const roomOf = (choices: Choices | null): Room => ({
  within: roomIn(choices?.system.limits.body_bytes ?? 1_024 * 1_024),
  ahead: choices?.system.limits.blob_bytes ?? 0,
})
