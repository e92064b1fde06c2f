/** Marks the words of two neighbours that only one of them has. The page itself stays as it is drawn. */
import { type RefObject, useEffect } from 'react'
import { differing } from './differing.js'

/** The share of words that two texts must have in common for their differences to say something. */
const least = 0.35

interface Word {
  readonly text: string
  readonly range: Range
}

function wordsIn(root: Element): readonly Word[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: Word[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: text, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
      const range = new Range()
      range.setStart(node, index)
      range.setEnd(node, index + text.length)
      found.push({ text, range })
    }
  return found
}

/** While it is on the screen; `key` changes when what is drawn does. */
export function useDifferences(box: RefObject<Element | null>, key: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew, it is compared anew
  useEffect(() => {
    if (!box.current || !('highlights' in CSS)) return
    const drawn = box.current
    const look = (): void => {
      const ranges: Range[] = []
      for (const row of drawn.querySelectorAll('.compare-row')) {
        const [one, other] = [...row.querySelectorAll('.prose, .plain')].reduce<[Word[], Word[]]>(
          (sides, text) => {
            sides[row.firstElementChild?.contains(text) ? 0 : 1].push(...wordsIn(text))
            return sides
          },
          [[], []],
        )
        const [left, right] = differing(
          one.map(({ text }) => text),
          other.map(({ text }) => text),
        )
        // two messages that share little are two messages
        if (one.length - left.length < least * Math.max(one.length, other.length)) continue
        ranges.push(...left.map((at) => (one[at] as Word).range), ...right.map((at) => (other[at] as Word).range))
      }
      CSS.highlights.set('differs', new Highlight(...ranges))
    }
    look()
    // what is drawn late, a formula or a coloured block, is compared then
    const late = new MutationObserver(look)
    late.observe(drawn, { childList: true, subtree: true })
    return () => {
      late.disconnect()
      CSS.highlights.delete('differs')
    }
  }, [key])
}
