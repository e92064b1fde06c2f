/** Code in a frame: its language, a way to copy it, and colours once they are there. */
import { type ReactNode, useMemo } from 'react'
import { Copy } from '../copy.js'
import { words } from '../strings/chat.js'
import { lazy } from './lazy.js'

export const colours = lazy(() => import('./highlight.js'))
export const diagrams = lazy(() => import('./diagram.js'))

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

/** Null until it is loaded, and where it cannot be drawn. */
function useDiagram(text: string, wanted: boolean): ReactNode | null {
  const ready = diagrams.use(wanted)
  return useMemo(() => ready?.diagramOf(text) ?? null, [ready, text])
}

function useColours(language: string, text: string, wanted: boolean): ReactNode {
  const ready = colours.use(wanted && language !== '' && text.length <= mostChars)
  return ready?.coloured(language, text) ?? text
}
