/** Markdown as the app draws it, for a page without script: the words of shared conversations. */
import { renderToStaticMarkup } from 'react-dom/server.edge'
import prose from './chat/prose.css'
import { Still } from './copy.js'
import { colours, diagrams } from './markdown/code.js'
import { tex } from './markdown/formula.js'
import { Markdown } from './markdown/markdown.js'
import tokens from './tokens.css'

await Promise.all([tex.wanted(), colours.wanted(), diagrams.wanted()])

export const style: string = tokens + prose

export const htmlOf = (text: string): string =>
  renderToStaticMarkup(
    <Still value={true}>
      <Markdown text={text} />
    </Still>,
  )
