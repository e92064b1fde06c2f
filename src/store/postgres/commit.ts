/** Several writes to one conversation in one transaction: two round trips, one more for each draft that becomes entries. */

import type { Committed } from '../contract/commit.js'
import type { Store } from '../contract/store.js'
import { refusal } from '../shared/refuse.js'
import { bellName } from '../shared/turn.js'
import type { Call } from './batch.js'
import type { Driver, More } from './driver.js'
import { orMissing, writeIn } from './find.js'
import type { Listen } from './listen.js'
import { lock, savepointOfWork, undoWork } from './sql/frame.js'
import { workOf } from './steps.js'
import { performAll, performed, type StepOutcome, type Work } from './work.js'

export const postgresCommits = (driver: Driver, listen: Listen): Pick<Store, 'commit'> => ({
  async commit(workspace, conversation, steps) {
    const works = steps.map((step) => workOf([workspace, conversation], step, listen.channel))
    const talk = performAll(works)
    const first: Call[] = [[savepointOfWork, []], ...(talk.next().value as readonly Call[])]
    const done = await writeIn(driver, workspace, conversation, lock, first, async ([, , ...results], ask) => {
      let said = talk.next(results)
      while (!said.done) said = talk.next(await ask(...said.value))
      if (said.value.ok) return { calls: [], answer: { outcomes: said.value.outcomes, repeated: false } }
      await ask([undoWork, []])
      return { calls: [], answer: await repeated(works, said.value.done, ask) }
    }).catch(orMissing(driver, workspace, conversation))
    // those of this process need not wait for the server to tell them
    if (steps.some((step) => step.do === 'emit')) listen.ring(bellName(workspace, conversation))
    return done
  },
})

/** What the commit came to when it was made before; throws the reason when it was not. */
async function repeated(works: readonly Work[], failed: number, ask: More): Promise<Committed> {
  const before: StepOutcome[] = []
  for (const work of works) before.push((await work.before?.(ask)) ?? null)
  if (before.some((known) => known !== null)) return { outcomes: before, repeated: true }
  // the steps before it once more, so that the reason is the one it met
  await performed(works.slice(0, failed), ask)
  await works[failed]?.why?.(ask)
  throw refusal('unavailable', 'something changed at this very moment; the same call can be made again')
}
