/** As much as one commit takes. */
import type { Step } from '../../store/contract/commit.js'

export function* batches(steps: readonly Step[]): Generator<Step[]> {
  let batch: Step[] = []
  let size = 0
  for (const step of steps) {
    const more = 1 + (step.do === 'append' ? step.entries.length : 0)
    if (size + more > 1_900) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(step)
    size += more
  }
  if (batch.length > 0) yield batch
}
