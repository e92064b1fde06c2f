/** Whether a message asks about the past: it is a question, and it names what it asks about or does not go on with the talk. */
import type { RecallShare } from '../core/receipt/receipt.js'
import type { Question } from './query.js'

/** From this chance on that a message goes on with the talk, the newest turns keep their room. */
export const surely = 0.3
/** Below this chance the newest turn may be cut, too, unless it is so likely to be needed. */
const barely = 0.05
const likely = 0.2
/** A question with so many words of its own names what it asks about. */
const names = 3

/** `needed`: the chance of the newest turn, which is not cut when it may hold what is asked for. */
export function asksPast({ text, terms }: Question, goesOn: number, needed: number): RecallShare {
  if (!isQuestion(text)) return 'usual'
  if (goesOn < barely && needed < likely) return 'alone'
  return goesOn < surely || terms.size >= names ? 'past' : 'usual'
}

const marked = /[?？؟](?=["'”’)\]*_]*(?:\s|$))/
const opens =
  /^\W*(?:what|when|where|who|whose|which|how|why|did|do|does|is|was|were|are|can|could|have|has|remind|recall|list|summari[sz]e|tell|show|name|find)\b/i
/** Without a mark, only something short is taken for a question. */
const short = 160

const isQuestion = (text: string): boolean => marked.test(text) || (text.length <= short && opens.test(text))
