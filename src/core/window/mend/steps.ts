/** An assistant's item as the steps the model took. */
import type { CallPart, FilePart, Item, TextPart, ThinkPart } from '../../message/item.js'

/** What was thought and said, then the calls made together; their results come before the next step. */
export interface SpokenStep {
  readonly said: readonly SpokenPart[]
  readonly calls: readonly CallPart[]
}

export type SpokenPart = TextPart | ThinkPart | FilePart

/** `atOnce`: most calls of one step. */
export function stepsOf(item: Item, atOnce = Number.POSITIVE_INFINITY): readonly SpokenStep[] {
  const steps: { said: SpokenPart[]; calls: CallPart[] }[] = []
  let step: { said: SpokenPart[]; calls: CallPart[] } | undefined
  for (const part of item.parts) {
    const full = step !== undefined && (part.type === 'call' ? step.calls.length >= atOnce : step.calls.length > 0)
    if (!step || full) {
      step = { said: [], calls: [] }
      steps.push(step)
    }
    if (part.type === 'call') step.calls.push(part)
    else step.said.push(part)
  }
  return steps
}
