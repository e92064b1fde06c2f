/** TeX as MathML, which the browser draws by itself: loaded when there is a formula. */
import { createElement, type ReactNode } from 'react'
import temml from 'temml'

interface MathNode {
  readonly type?: string
  readonly text?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly children?: readonly MathNode[]
}

const tags = new Set(
  'math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose mmultiscripts mprescripts none'.split(
    ' ',
  ),
)
const attributes = new Set(
  'display mathvariant stretchy fence separator accent accentunder lspace rspace minsize maxsize largeop movablelimits symmetric form linethickness width height depth voffset columnalign rowspacing columnspacing scriptlevel displaystyle mathcolor mathsize notation columnlines rowlines'.split(
    ' ',
  ),
)

const known = new Map<string, ReactNode>()

/** Null where it is no formula. Only what is on the lists above comes through. */
export function mathOf(tex: string, display: boolean): ReactNode | null {
  const key = `${display}${tex}`
  if (!known.has(key)) {
    if (known.size > 500) known.clear()
    known.set(key, drawn(tex, display))
  }
  return known.get(key) ?? null
}

function drawn(tex: string, display: boolean): ReactNode | null {
  try {
    const tree = treeOf(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [10, 10],
    })
    return element(tree, 0, tex)
  } catch {
    return null
  }
}

const treeOf = (temml as unknown as { __renderToMathMLTree(tex: string, options: object): MathNode })
  .__renderToMathMLTree

function element(node: MathNode, key: number, label?: string): ReactNode {
  const { type, text, children = [] } = node
  if (text !== undefined) return text
  const inner = children.map((child, at) => element(child, at))
  if (type === undefined || !tags.has(type)) return inner
  const given = Object.entries(node.attributes ?? {}).filter(([name]) => attributes.has(name))
  return createElement(type, { key, ...Object.fromEntries(given), ...(label && { 'aria-label': label }) }, ...inner)
}
