/** How much of the history a further try may have, when the model said that it was too much. */
import type { WindowItem } from '../core/window/assemble.js'
import { ladder } from '../models/ladder.js'
import type { MessageShare } from './ask.js'

/** Of the window of the first try; undefined when there is nothing left to leave out. */
export function shareOf(items: readonly WindowItem[], step: number, hasCurrent: boolean): MessageShare | undefined {
  const said = items.filter(({ mark, fate }) => mark === undefined && fate !== 'current')
  // this turn's own tool messages are never left out
  const turn = hasCurrent ? said.length : said.findLastIndex(({ role }) => role === 'user')
  const rung = ladder(said.slice(0, Math.max(0, turn)), step)
  return rung ? rung.kept.length + said.length - Math.max(0, turn) : undefined
}
