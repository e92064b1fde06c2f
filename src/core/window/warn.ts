/** What there is to say about a history that was usable all the same. */

import type { Issue } from '../message/issue.js'
import { wellFormed } from '../message/text.js'
import type { Accounts } from './account.js'
import type { Place } from './lay.js'
import { markWarnings } from './mark-warnings.js'
import { type Shape, shape } from './shape.js'
import { say } from './voice.js'

/** In the order a reader of the history would meet them. */
export function warningsOf(books: Accounts, marked: boolean, excess: number, sent: readonly Place[]): Issue[] {
  const { walk, fitted, plan, rest } = books
  const floor = books.leading === 0 ? books.floor : 0
  const { voice, invalid } = plan.policy.intake
  const found: { index: number; rank: number; issue: Issue }[] = []
  for (const { index, note } of walk.lost)
    if (note) found.push({ index, rank: 0, issue: say(voice, { ...note, index: index - floor }) })
  for (const { index, note } of walk.notes)
    found.push({ index, rank: 2, issue: say(voice, { ...note, index: index - floor }) })
  for (const { index, sentence } of walk.vague)
    found.push({
      index,
      rank: 3,
      issue: {
        code: 'admit.lost',
        field: `messages[${index}]`,
        message: wellFormed(`messages[${index}]: ${sentence}`),
      },
    })
  if (invalid === 'reject' && voice === 's2') {
    const cut = (index: number, lengths: Shape['cut']): void => {
      if (lengths)
        found.push({
          index,
          rank: 1,
          issue: say(voice, { code: 'clip.cut', index: index - floor, from: lengths[0], to: lengths[1] }),
        })
    }
    for (const kept of [...fitted.tail, ...fitted.left]) cut(kept.slot.index, kept.shape.cut)
    for (const slot of rest) cut(slot.index, shape(slot.item, 'full', plan.policy, plan.scale).cut)
  }
  found.sort((one, other) => one.index - other.index || one.rank - other.rank)
  const issues = found.map((one) => one.issue)
  return [...issues, ...closing(books, marked, excess, sent)]
}

function closing(books: Accounts, marked: boolean, excess: number, sent: readonly Place[]): Issue[] {
  const { fitted, plan, messages, given } = books
  const { voice, invalid } = plan.policy.intake
  const kept = fitted.tail.length
  const of = kept + fitted.left.length + books.rest.length
  const issues: Issue[] = []
  if (invalid === 'reject' && voice === 's2' && given.messages != null && of === 0)
    issues.push(say(voice, { code: 'admit.none' }))
  else if (messages.length > 0 && of === 0 && voice !== 's2' && books.floor === books.leading && books.walk.done)
    issues.push(say(voice, { code: 'admit.none' }))
  issues.push(...markWarnings(books, sent))
  if (voice === 's2' && fitted.exceeded && (fitted.limit !== null || marked))
    issues.push(say(voice, { code: 'fit.size', kept, of, limit: `${plan.policy.fit.chars} characters` }))
  if (excess > 0 && books.options.compat !== 'literal') {
    issues.push({
      code: 'fit.excess',
      field: 'messages',
      value: excess,
      message: `what must be kept is over the limit by ${excess}`,
    })
  }
  return issues
}
