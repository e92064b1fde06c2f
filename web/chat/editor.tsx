import { useState } from 'react'
import { words } from '../strings/chat.js'

export function Editor({
  text,
  done,
  save,
}: {
  readonly text: string
  done(): void
  save(text: string): Promise<void>
}) {
  const [draft, setDraft] = useState(text)
  const submit = (): void => {
    const said = draft.trim()
    if (said === '' || said === text) done()
    else void save(said).catch(() => {})
  }
  return (
    <div className="editor">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus
        aria-label={words.editLabel}
        value={draft}
        rows={Math.min(12, draft.split('\n').length + 1)}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault()
            done()
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            submit()
          }
        }}
      />
      <div>
        <button type="button" className="primary" onClick={submit}>
          {words.saveEdit}
        </button>
        <button type="button" className="quiet" onClick={done}>
          {words.cancel}
        </button>
      </div>
    </div>
  )
}
