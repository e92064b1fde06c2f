import { useState } from 'react'
import { strings } from '../strings/pages.js'

export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <button type="button" className="quiet" onClick={() => void copy().catch(() => {})}>
      {copied ? strings.copied : strings.copy}
    </button>
  )
}
