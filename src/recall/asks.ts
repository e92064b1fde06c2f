/** Whether a message asks about the past: it is a question, and it names what it asks about or does not go on with the talk. */
import type { Question } from './query.js'

/** From this chance on that a message goes on with the talk, the newest turns keep their room. */
const surely = 0.3
/** A question with so many words of its own names what it asks about. */
const names = 3

export const asksPast = ({ text, terms }: Question, goesOn: number): boolean =>
  isQuestion(text) && (goesOn < surely || terms.size >= names)

const marked = /[?？؟](?=["'”’)\]*_]*(?:\s|$))/
const opens =
  /^\W*(?:what|when|where|who|whose|which|how|why|did|do|does|is|was|were|are|can|could|have|has|remind|recall|list|summari[sz]e|tell|show|name|find)\b/i
/** Without a mark, only something short is taken for a question. */
const short = 160

const isQuestion = (text: string): boolean => marked.test(text) || (text.length <= short && opens.test(text))
