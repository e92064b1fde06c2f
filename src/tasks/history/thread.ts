/** The turns of a conversation that concern a task. */
import { relevance } from './relevance.js'
import { saidIn } from './said.js'

/**
 * Positions of the messages of every turn that scores at least so much; the last turn stays whatever its score. Null
 * when nothing was said about the matter at all: then nothing can be told apart.
 */
export function concerning(messages: readonly unknown[], matter: string, least: number): readonly number[] | null {
  const turns = turnsOf(messages)
  const scores = relevance(
    matter,
    turns.map((turn) => turn.map((at) => saidIn(messages[at])?.text ?? '').join('\n')),
  )
  if (!scores.some((score) => score > 0)) return null
  return turns.filter((_, at) => (scores[at] as number) >= least || at === turns.length - 1).flat()
}

/** A turn begins with a user's message. */
function turnsOf(messages: readonly unknown[]): readonly (readonly number[])[] {
  const turns: number[][] = []
  messages.forEach((message, at) => {
    const last = turns.at(-1)
    if (last && saidIn(message)?.speaker !== 'user') last.push(at)
    else turns.push([at])
  })
  return turns
}
