/** Where one writes. What is not sent yet is kept, per conversation. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { memory } from './api.js'
import { Icon } from './icons.js'
import { strings } from './strings.js'

interface Props {
  /** Whose draft it is. */
  readonly draft: string
  readonly running: boolean
  readonly children?: ReactNode
  send(text: string): Promise<void>
  stop(): void
}

export function Composer({ draft, running, send, stop, children }: Props) {
  const [text, setText] = useState(() => memory.get(`draft.${draft}`) ?? '')
  const field = useRef<HTMLTextAreaElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, innerHeight * 0.4)}px`
  }, [text])
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])

  const write = (next: string): void => {
    setText(next)
    memory.set(`draft.${draft}`, next)
  }
  const submit = async (): Promise<void> => {
    const said = text.trim()
    if (said === '' || running) return
    write('')
    // a refusal gives the words back
    await send(said).catch(() => write(said))
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={strings.placeholder}
        aria-label={strings.placeholder}
        aria-description={strings.sendHint}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            void submit()
          } else if (event.key === 'Escape' && running) {
            event.preventDefault()
            stop()
          }
        }}
      />
      <div className="composer-row">
        {children}
        {running ? (
          <button type="button" className="round" onClick={stop} aria-label={strings.stop} title={strings.stop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            className="round"
            disabled={text.trim() === ''}
            aria-label={strings.send}
            title={strings.send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  )
}
