/** Puts a text on the clipboard; long ones are made only when they are asked for. */
import { createContext, useContext, useState } from 'react'
import { strings } from './strings/pages.js'

interface Props {
  readonly text: string | (() => string)
  readonly label?: string
  readonly className?: string
  readonly does?: string
}

/** On a page without script there is nothing to press. */
export const Still = createContext(false)

export function Copy({ text, label = strings.copy, className = 'quiet', does }: Props) {
  const [done, setDone] = useState(false)
  const isStill = useContext(Still)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text()).catch(() => {})
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  if (isStill) return null
  return (
    <button type="button" className={className} data-does={does} onClick={copy}>
      {done ? strings.copied : label}
    </button>
  )
}
