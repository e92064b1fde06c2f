/** Formulas between dollars, or between the brackets that models like. */
import type { TokenizerExtension } from 'marked'

export interface MathToken {
  readonly type: 'blockMath' | 'inlineMath'
  readonly raw: string
  readonly tex: string
  readonly display: boolean
}

/** TeX has no empty line in a formula either, so what comes after one does not change what stood before it. */
const block =
  /^ {0,3}(?:\$\$((?:(?!\$\$|\n[ \t]*\n).){1,5000})\$\$|\\\[((?:(?!\\\]|\n[ \t]*\n).){1,5000})\\\])[ \t]*(?:\n|$)/s
const display = /^\$\$([^$\n]{1,2000})\$\$/
/** One dollar needs a letter beside it on the inside, and no digit after: prices are no formulas. */
const single = /^(?:\$(?![\s$])([^$\n]{0,1999}[^$\s\\])\$(?![\d$])|\\\(([^\n]{1,2000}?)\\\))/

export const blockMath: TokenizerExtension = {
  name: 'blockMath',
  level: 'block',
  start: (src) => /\n {0,3}(?:\$\$|\\\[)/.exec(src)?.index,
  tokenizer: (src) => found('blockMath', block.exec(src), true),
}

export const inlineMath: TokenizerExtension = {
  name: 'inlineMath',
  level: 'inline',
  start: (src) => /\$|\\\(/.exec(src)?.index,
  tokenizer: (src) => found('inlineMath', display.exec(src), true) ?? found('inlineMath', single.exec(src), false),
}

function found(type: MathToken['type'], match: RegExpExecArray | null, isDisplay: boolean): MathToken | undefined {
  if (!match) return undefined
  return { type, raw: match[0], tex: (match[1] ?? match[2] ?? '').trim(), display: isDisplay }
}
