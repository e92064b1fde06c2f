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
  const drawn = useDiagram(text, name.toLowerCase() === 'mermaid' && !open)
  return (
    <figure className="code">
      <figcaption>
        <span>{name || words.plainCode}</span>
        <Copy text={text} />
      </figcaption>
      {drawn !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div className="diagram-frame" tabIndex={0}>
          {drawn}
        </div>
      )}
      <Source isDrawn={drawn !== null}>{useColours(name.toLowerCase(), text, !open)}</Source>
    </figure>
  )
}

function Source({ isDrawn, children }: { readonly isDrawn: boolean; readonly children: ReactNode }) {
  const code = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
  if (!isDrawn) return code
  return (
    <details className="diagram-source">
      <summary>{words.diagramSource}</summary>
      {code}
    </details>
  )
}

/** Loaded when there is one; null until then, and where it cannot be drawn. */
function useDiagram(text: string, wanted: boolean): ReactNode | null {
  const [drawn, setDrawn] = useState<ReactNode | null>(null)
  useEffect(() => {
    let here = true
    setDrawn(null)
    if (wanted)
      import('./diagram.js').then(
        ({ diagramOf }) => here && setDrawn(diagramOf(text)),
        () => {},
      )
    return () => {
      here = false
    }
  }, [text, wanted])
  return drawn
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
