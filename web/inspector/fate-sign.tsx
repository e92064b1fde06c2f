/** What became of a message: a sign, a word and a pattern, so that no one needs the colour. */
import { words } from '../strings/inspector.js'
import type { Look } from './rows.js'

export const signs: Readonly<Record<Look, string>> = {
  kept: '●',
  pinned: '▲',
  clipped: '✂',
  folded: '⊂',
  summarised: '▤',
  recalled: '↩',
  dropped: '∅',
  excluded: '⊘',
  current: '◆',
}

export function FateSign({ look }: { readonly look: Look }) {
  return (
    <span className="sign" data-look={look}>
      <i aria-hidden="true">{signs[look]}</i>
      {words.looks[look]}
    </span>
  )
}
