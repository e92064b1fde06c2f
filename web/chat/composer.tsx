/** Where one writes. What is not sent yet is kept, per conversation. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { memory } from '../api.js'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import type { Attachment, Room } from './attachment.js'
import { AttachmentList } from './attachment-list.js'
import { useAttachments } from './use-attachments.js'

interface Props {
  /** Whose draft it is. */
  readonly draft: string
  readonly running: boolean
  readonly room: Room
  readonly children?: ReactNode
  send(text: string, files: readonly Attachment[]): Promise<void>
  stop(): void
  /** Takes what is sent while an answer is written. */
  queue?(text: string, files: readonly Attachment[]): void
  /** Told what is written, as it is written. */
  heed?(text: string): void
  /** Asked for with ↑ in an empty field. */
  editLast?(): void
}

export function Composer({ draft, running, room, send, stop, queue, editLast, heed, children }: Props) {
  const [text, setText] = useState(() => memory.get(`draft.${draft}`) ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const attached = useAttachments(room)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, innerHeight * 0.4)}px`
  }, [text])
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches && !location.hash.includes('?m=')) field.current?.focus()
  }, [])

  const write = (next: string): void => {
    setText(next)
    heed?.(next)
    memory.set(`draft.${draft}`, next)
  }
  const isEmpty = text.trim() === '' && attached.files.length === 0
  const submit = async (): Promise<void> => {
    const said = text.trim()
    const { files } = attached
    if (isEmpty || (running && !queue)) return
    write('')
    attached.clear()
    if (running) return queue?.(said, files)
    // a refusal gives the words back
    await send(said, files).catch(() => {
      write(said)
      attached.giveBack(files)
    })
  }

  return (
    <form
      className="composer"
      data-over={attached.isOver}
      {...attached.target}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <AttachmentList {...attached} />
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={attached.isOver ? words.dropHere : words.placeholder}
        aria-label={words.placeholder}
        aria-description={words.sendHint}
        onChange={(event) => write(event.target.value)}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          attached.add(event.clipboardData.files)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            void submit()
          } else if (event.key === 'Escape' && running) {
            event.preventDefault()
            stop()
          } else if (event.key === 'ArrowUp' && text === '' && editLast && !running) {
            event.preventDefault()
            editLast()
          }
        }}
      />
      <div className="composer-row">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            if (target.files) attached.add(target.files)
            target.value = ''
          }}
        />
        <button
          type="button"
          className="square"
          aria-label={words.attach}
          title={words.attach}
          onClick={() => picker.current?.click()}
        >
          <Icon name="clip" />
        </button>
        {children}
        {running && (
          <button type="button" className="round" onClick={stop} aria-label={words.stop} title={words.stop}>
            <Icon name="stop" />
          </button>
        )}
        {(!running || (queue && !isEmpty)) && (
          <button
            type="submit"
            className="round"
            disabled={isEmpty}
            aria-label={running ? words.queueIt : words.send}
            title={running ? words.queueIt : words.send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  )
}
