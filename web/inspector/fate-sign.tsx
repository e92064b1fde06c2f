/** What became of a message: the shape it has in the strip, and a word, so that no one needs the colour. */
import { words } from '../strings/inspector.js'
import type { Look } from './rows.js'

interface Props {
  readonly look: Look
  /** The word is there for those who listen. */
  readonly bare?: boolean
}

export const FateSign = ({ look, bare = false }: Props) => (
  <span className="sign" data-look={look} {...(bare && { title: words.looks[look] })}>
    <i aria-hidden="true" />
    <span className={bare ? 'hidden' : ''}>{words.looks[look]}</span>
  </span>
)
