/** A tokenizer's tables and what is asked of them; loaded on demand, with nothing of the rest. */
type Count = (text: string) => number

/** Text that looks like a special token is text. */
const asText = { disallowedSpecial: new Set<string>() }

export async function load(family: string): Promise<Count | undefined> {
  if (family === 'o200k') {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return (text) => countCut(text, (piece) => countTokens(piece, asText))
  }
  if (family === 'cl100k') {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
    return (text) => countCut(text, (piece) => countTokens(piece, asText))
  }
  return undefined
}

const longest = 400

/** A run that the tokenizer would not split by itself; merging takes time in the square of its length. */
const unbroken = /[\p{L}\p{M}]{400,}|[^\s\p{L}\p{N}]{400,}|\s{400,}/gu

/** A run of 400 covers every 400th place, so that only the runs at those places are measured. */
function mayBeUnbroken(text: string): boolean {
  for (let place = longest - 1; place < text.length; place += longest) {
    const blank = isBreak(text.charCodeAt(place))
    let from = place
    while (from > 0 && isBreak(text.charCodeAt(from - 1)) === blank && place - from < longest) from--
    let to = place
    while (to + 1 < text.length && isBreak(text.charCodeAt(to + 1)) === blank && to - from < longest) to++
    if (to - from + 1 >= longest) return true
  }
  return false
}

/** Other white space is so rare that a run of it may as well be measured. */
const isBreak = (unit: number): boolean => unit <= 0x20

function countCut(text: string, count: Count): number {
  if (!mayBeUnbroken(text)) return count(text)
  let total = 0
  let from = 0
  for (const { 0: run, index } of text.matchAll(unbroken)) {
    for (let cut = index + longest; cut < index + run.length; cut += longest) {
      if ((text.charCodeAt(cut) & 0xfc00) === 0xdc00) cut--
      total += count(text.slice(from, cut))
      from = cut
    }
  }
  return total + count(text.slice(from))
}
