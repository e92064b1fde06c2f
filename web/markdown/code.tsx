/** Code in a frame: its language, a way to copy it, and colours once they are there. */
import { type ReactNode, useEffect, useState } from 'react'
import { Copy } from '../copy.js'
import { words } from '../strings/chat.js'

type Highlight = typeof import('./highlight.js')

let loaded: Highlight | null = null
let loading: Promise<Highlight> | null = null

/** More than this is not read for its colours. */
const mostChars = 40_000

export function Code({
  language,
  text,
  open = false,
}: {
  readonly language: string
  readonly text: string
  /** It is still being written: it gets its colours at the end. */
  readonly open?: boolean
}) {
  const [name = ''] = language.trim().split(/[\s{,:]/)
  return (
    <figure className="code">
      <figcaption>
        <span>{name || words.plainCode}</span>
        <Copy text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{useColours(name.toLowerCase(), text, !open)}</code>
      </pre>
    </figure>
  )
}

function useColours(language: string, text: string, wanted: boolean): ReactNode {
  const [ready, setReady] = useState(loaded)
  const colour = wanted && language !== '' && text.length <= mostChars
  useEffect(() => {
    if (!colour || ready) return
    let here = true
    loading ??= import('./highlight.js')
    loading.then(
      (module) => {
        loaded = module
        if (here) setReady(module)
      },
      () => {
        // without the colours it is the same code
        loading = null
      },
    )
    return () => {
      here = false
    }
  }, [colour, ready])
  return colour && ready ? (ready.coloured(language, text) ?? text) : text
}
