/** Markdown as tokens: all at once, or a little more of a text that grows. */
import { Lexer, Marked, type Token } from 'marked'
import { calm } from './calm.js'
import { blockMath, inlineMath } from './math-tokens.js'
import { isWild, isWildLine } from './wild.js'

const { defaults } = new Marked({ gfm: true, extensions: [blockMath, inlineMath] })

export interface Lexed {
  readonly text: string
  readonly tokens: readonly Token[]
}

export function lex(text: string): readonly Token[] {
  const plain = text.replace(/\r\n?/g, '\n')
  if (isWild(plain)) return asItIs(plain)
  try {
    return tokensOf(plain)
  } catch {
    // nested deeper than the stack
    return asItIs(plain)
  }
}

/** As marked does it, save that a line that is all marks is taken as words: marked looks at each mark for each other. */
function tokensOf(text: string): readonly Token[] {
  const lexer = new Lexer(defaults)
  lexer.blockTokens(text, lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue)
    if (isWildLine(src)) tokens.push({ type: 'text', raw: src, text: src, escaped: true })
    else lexer.inlineTokens(src, tokens)
  return lexer.tokens
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
