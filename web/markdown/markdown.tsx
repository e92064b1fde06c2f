/** Markdown as React elements and nothing else: no HTML of the author's passes, nothing is fetched. */
import { memo, useMemo, useRef } from 'react'
import { blocks } from './block.js'
import { grow, type Lexed, lex } from './lex.js'

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      {blocks(
        useMemo(() => lex(text), [text]),
        false,
      )}
    </div>
  )
})

/** A text that is being written: only its last blocks are read and drawn again. */
export function GrowingMarkdown({ text }: { readonly text: string }) {
  const held = useRef<Lexed | null>(null)
  held.current = grow(held.current, text)
  return <div className="prose">{blocks(held.current.tokens, true)}</div>
}
