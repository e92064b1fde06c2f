/** Puts a text on the clipboard; long ones are made only when they are asked for. */
import { useState } from 'react'
import { strings } from '../strings.js'

export function CopyButton({ text, label }: { readonly label: string; text(): string }) {
  const [done, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text()).catch(() => {})
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  return (
    <button type="button" className="quiet" onClick={copy}>
      {done ? strings.copied : label}
    </button>
  )
}
