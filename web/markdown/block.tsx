/** A block of Markdown. The same token is never drawn again. */

import type { Token, Tokens } from 'marked'
import { memo, type ReactNode } from 'react'
import { Code } from './code.js'
import { Formula } from './formula.js'
import { inline } from './inline.js'
import type { MathToken } from './math-tokens.js'

const deepest = 10

export const Block = memo(function Block({
  token,
  open = false,
  depth = 0,
}: {
  readonly token: Token
  /** More of it may come. */
  readonly open?: boolean
  readonly depth?: number
}): ReactNode {
  if (depth > deepest) return <p>{token.raw}</p>
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'heading': {
      const { depth: level, tokens } = token as Tokens.Heading
      const Tag = `h${Math.min(6, level + 2)}` as 'h3'
      return <Tag>{inline(tokens)}</Tag>
    }
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens) : text
    }
    case 'code': {
      const { lang = '', text } = token as Tokens.Code
      return <Code language={lang} text={text} open={open} />
    }
    case 'hr':
      return <hr />
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, open, depth + 1)}</blockquote>
    case 'list':
      return <List token={token as Tokens.List} open={open} depth={depth + 1} />
    case 'table':
      return <Table token={token as Tokens.Table} />
    case 'blockMath':
      return <Formula {...(token as unknown as MathToken)} />
    default:
      // HTML is shown, never obeyed
      return <p className="plain">{token.raw}</p>
  }
})

export const blocks = (tokens: readonly Token[], open: boolean, depth = 0): ReactNode[] =>
  tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of blocks is their identity
    <Block key={at} token={token} open={open && at === tokens.length - 1} depth={depth} />
  ))

function List({ token, open, depth }: { readonly token: Tokens.List; readonly open: boolean; readonly depth: number }) {
  const items = token.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of a list is its identity
    <li key={at} className={item.task ? 'task' : undefined}>
      {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={item.text} />}
      {blocks(item.tokens, open && at === token.items.length - 1, depth)}
    </li>
  ))
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="scroll" tabIndex={0} aria-label={token.header.map(({ text }) => text).join(', ')}>
      <table>
        <thead>
          <tr>{token.header.map(cell)}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of a table is its identity
            <tr key={at}>{row.map(cell)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function cell({ header, align, tokens }: Tokens.TableCell, at: number): ReactNode {
  const Tag = header ? 'th' : 'td'
  return (
    <Tag key={at} data-align={align ?? undefined}>
      {inline(tokens)}
    </Tag>
  )
}
