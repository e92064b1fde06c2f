/** Texts that no one writes and that would take a lexer minutes: they are shown as they are, at once. */

const mostChars = 200_000
const deepestQuote = /^(?:[ \t]*>){13}/m
const mostItems = 2_000
const mostMarks = 600

export const isWild = (text: string): boolean =>
  text.length > mostChars || deepestQuote.test(text) || count(text, /^[ \t]*(?:[-*+]|\d+[.)])[ \t]/gm, mostItems)

export const isWildLine = (text: string): boolean =>
  text.length > mostMarks && count(text, /[*_`~[\]<@$\\]/g, mostMarks)

/** Whether it is found more often than that. */
function count(text: string, what: RegExp, most: number): boolean {
  let found = 0
  for (const _ of text.matchAll(what)) if (++found > most) return true
  return false
}
