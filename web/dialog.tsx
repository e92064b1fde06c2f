/** Something that has to be dealt with first: Escape and a click beside it close it, and the focus goes back. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icons.js'
import { strings } from './strings/pages.js'

interface Props {
  readonly label: string
  /** For its style. */
  readonly name?: string
  readonly children: ReactNode
  close(): void
}

export function Dialog({ label, name = '', children, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const before = document.activeElement
    const box = dialog.current
    box?.showModal()
    return () => {
      box?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className={`sheet ${name}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="sheet-body">
        <header>
          <h2 id={heading}>{label}</h2>
          <button type="button" className="square" aria-label={strings.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
