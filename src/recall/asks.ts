/** Whether a message asks about the past: it is a question, it does not go on with the talk, and the newest turns hold no answer. */
import type { Offer } from './choose.js'

/** From this chance on that a message goes on with the talk, the newest turns keep their room. */
const surely = 0.3
/** So many of the likeliest messages tell where the answer stands. */
const likeliest = 8

export function asksPast(current: string, goesOn: number, offers: readonly Offer[], inWindow: number | null): boolean {
  if (goesOn >= surely || !isQuestion(current)) return false
  const top = [...offers].sort((one, other) => other.chance - one.chance).slice(0, likeliest)
  const sum = (some: readonly Offer[]): number => some.reduce((all, { chance }) => all + chance, 0)
  const missed = top.filter(({ card }) => inWindow === null || card.depth < inWindow)
  return sum(missed) * 2 >= sum(top)
}

const marked = /[?？؟](?=["'”’)\]*_]*(?:\s|$))/
const opens =
  /^\W*(?:what|when|where|who|whose|which|how|why|did|do|does|is|was|were|are|can|could|have|has|remind|recall|list|summari[sz]e|tell|show|name|find)\b/i
/** Without a mark, only something short is taken for a question. */
const short = 160

const isQuestion = (text: string): boolean => marked.test(text) || (text.length <= short && opens.test(text))
