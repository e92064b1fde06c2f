/** Markdown as tokens: all at once, or a little more of a text that grows. */
import { Marked, type Token } from 'marked'
import { calm } from './calm.js'
import { blockMath, inlineMath } from './math-tokens.js'

const marked = new Marked({ gfm: true, extensions: [blockMath, inlineMath] })

/** Longer than this is shown as it is: no one reads it, and a page must not stand still. */
const mostChars = 200_000

export interface Lexed {
  readonly text: string
  readonly tokens: readonly Token[]
}

export function lex(text: string): readonly Token[] {
  const plain = text.replace(/\r\n?/g, '\n')
  if (plain.length > mostChars) return asItIs(plain)
  try {
    return marked.lexer(plain)
  } catch {
    // nested deeper than the stack
    return asItIs(plain)
  }
}

/**
 * The tokens of a text that began as another did. Blocks that more text cannot change keep their identity; the last two
 * are read again, since a line more makes a list of a paragraph or a heading of a line.
 */
export function grow(before: Lexed | null, text: string): Lexed {
  const kept = before !== null && text.startsWith(before.text) ? settled(before.tokens) : []
  const from = kept.reduce((sum, { raw }) => sum + raw.length, 0)
  const last = kept.at(-1)
  // a lexer that gave other words than it took must not be cut after
  if (last && !text.startsWith(last.raw, from - last.raw.length)) return { text, tokens: lex(calm(text)) }
  return { text, tokens: [...kept, ...lex(calm(text.slice(from)))] }
}

function settled(tokens: readonly Token[]): readonly Token[] {
  let open = 2
  let at = tokens.length
  while (at > 0 && open > 0) if (tokens[--at]?.type !== 'space') open--
  return tokens.slice(0, at)
}

const asItIs = (text: string): readonly Token[] => [{ type: 'html', raw: text, text, pre: false, block: true }]
