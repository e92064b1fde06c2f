/** The turns of a conversation that concern a task. */
import { relevance } from './relevance.js'
import { saidInMessage } from './said.js'

/**
 * Positions of the messages of every turn that scores at least so much; the last turn stays whatever its score. Null
 * when nothing was said about the matter at all: then nothing can be told apart.
 */
export function concerning(messages: readonly unknown[], matter: string, least: number): readonly number[] | null {
  const turns = turnsOf(messages)
  const scores = relevance(
    matter,
    turns.map((turn) => turn.map((at) => saidInMessage(messages[at])?.text ?? '').join('\n')),
  )
  if (!scores.some((score) => score > 0)) return null
  return turns.filter((_, at) => (scores[at] as number) >= least || at === turns.length - 1).flat()
}

/**
 * The messages of the turns that have to do with a task, by the name of specification 0. Its `max_relevance_score` is
 * the least score a turn must have (K7). All of them when nothing was said about the matter.
 *
 * @example
 * ```ts
 * const conversation_history = getRelevantThread(messages, 'Fix the login test', { max_relevance_score: 0.7 })
 * ```
 */
export function getRelevantThread<M>(
  messages: readonly M[],
  description: string,
  { max_relevance_score = 0.7 }: { readonly max_relevance_score?: number } = {},
): readonly M[] {
  const chosen = concerning(messages, description, max_relevance_score)
  return chosen ? chosen.map((at) => messages[at] as M) : messages
}

/** A turn begins with a user's message. */
function turnsOf(messages: readonly unknown[]): readonly (readonly number[])[] {
  const turns: number[][] = []
  messages.forEach((message, at) => {
    const last = turns.at(-1)
    if (last && saidInMessage(message)?.speaker !== 'user') last.push(at)
    else turns.push([at])
  })
  return turns
}
