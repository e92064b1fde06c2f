/** Code in colours: loaded when there is code. */
import { common, createLowlight } from 'lowlight'
import type { ReactNode } from 'react'

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type Piece = Root['children'][number]

const lowlight = createLowlight(common)
const known = new Map<string, ReactNode>()
const mostKnown = 200

/** Null where the language is not known. What was coloured lately is not coloured again. */
export function coloured(language: string, text: string): ReactNode | null {
  if (!lowlight.registered(language)) return null
  const key = `${language}\n${text}`
  const found = known.get(key) ?? drawn(lowlight.highlight(language, text).children)
  known.delete(key)
  known.set(key, found)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  return found
}

function drawn(pieces: readonly Piece[]): ReactNode {
  return pieces.map((piece, at) => {
    if (piece.type === 'text') return piece.value
    if (piece.type !== 'element') return null
    const { className } = piece.properties
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of code is its identity
      <span key={at} className={Array.isArray(className) ? className.join(' ') : undefined}>
        {drawn(piece.children as Piece[])}
      </span>
    )
  })
}
