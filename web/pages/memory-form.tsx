/** Where a note is written or corrected. */
import { useState } from 'react'
import type { Memory, MemoryKind } from '../../src/client/index.js'
import { Choose } from '../search/filters.js'
import { strings } from '../strings/pages.js'

interface Props {
  readonly label: string
  /** The note that is corrected. */
  readonly memory?: Memory
  save(kind: MemoryKind, text: string): Promise<void>
  cancel?(): void
}

export function MemoryForm({ label, memory, save, cancel }: Props) {
  const [text, setText] = useState(memory?.text ?? '')
  const [kind, setKind] = useState<MemoryKind>(memory?.kind ?? 'profile')
  // what happened, and what follows from it, rest on a message
  const { profile, semantic } = strings.memoryKinds
  const kinds = memory?.source ? strings.memoryKinds : { profile, semantic }
  const submit = async (): Promise<void> => {
    if (text.trim() === '') return
    await save(kind, text.trim())
    setText('')
  }
  return (
    <form
      className="memory-form"
      onSubmit={(event) => {
        event.preventDefault()
        // what was refused stays written
        void submit().catch(() => {})
      }}
    >
      <textarea
        aria-label={memory ? strings.correctLabel : strings.memoryText}
        placeholder={strings.memoryHint}
        rows={memory ? 3 : 2}
        maxLength={2_000}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus={memory !== undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !cancel) return
          event.preventDefault()
          cancel()
        }}
      />
      <div>
        <Choose label={strings.memoryKind} value={kind} options={kinds} set={(next) => setKind(next as MemoryKind)} />
        <span className="grow" />
        {cancel && (
          <button type="button" className="quiet" onClick={cancel}>
            {strings.cancel}
          </button>
        )}
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          {label}
        </button>
      </div>
    </form>
  )
}
