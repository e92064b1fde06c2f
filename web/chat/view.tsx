/** A larger view over the conversation. Escape closes it and gives the focus back. */
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../icons.js'
import { chat as words } from '../strings/chat.js'

interface Props {
  readonly title: string
  readonly name: string
  readonly children: ReactNode
  close(): void
}

export function View({ title, name, children, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    return () => box?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`view ${name}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="view-inner">
        <header>
          <h2>{title}</h2>
          <button type="button" className="square" aria-label={words.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
