import { useState } from 'react'
import { strings } from './strings.js'

interface Props {
  readonly text: string
  readonly className?: string
  readonly does?: string
}

export function Copy({ text, className = 'quiet', does }: Props) {
  const [done, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => {})
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  return (
    <button type="button" className={className} data-does={does} onClick={copy}>
      {done ? strings.copied : strings.copy}
    </button>
  )
}
