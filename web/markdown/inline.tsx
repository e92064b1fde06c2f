/** Words within a line, as React elements. */

import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Formula } from './formula.js'
import { decoded, safeAddress } from './link.js'
import type { MathToken } from './math-tokens.js'

const deepest = 12

export function inline(tokens: readonly Token[] = [], depth = 0): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the order of words is their identity
  return tokens.map((token, at) => <Fragment key={at}>{word(token, depth)}</Fragment>)
}

function word(token: Token, depth: number): ReactNode {
  const inner = (): ReactNode =>
    depth < deepest && 'tokens' in token && token.tokens ? inline(token.tokens, depth + 1) : decoded(textOf(token))
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <code>{textOf(token)}</code>
    case 'br':
      return <br />
    case 'link':
      return link((token as Tokens.Link).href, inner())
    // a picture would be fetched from elsewhere and tell them who reads
    case 'image':
      return link((token as Tokens.Image).href, decoded(textOf(token)) || (token as Tokens.Image).href)
    case 'checkbox':
      return null
    case 'inlineMath':
      return <Formula {...(token as unknown as MathToken)} />
    case 'text':
      return inner()
    case 'escape':
      return textOf(token)
    default:
      // HTML is shown, never obeyed
      return token.raw
  }
}

const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw)

function link(href: string, said: ReactNode): ReactNode {
  const address = safeAddress(href)
  if (address === null) return <span className="no-link">{said}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {said}
    </a>
  )
}
