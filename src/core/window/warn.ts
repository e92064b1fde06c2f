/** What there is to say about a history that was usable all the same. */

import type { Issue, IssueCode } from '../message/issue.js'
import { wellFormed } from '../message/text.js'
import type { Accounts } from './account.js'
import type { Place } from './lay.js'
import type { Kept } from './load.js'
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

// what became of decisions that could not be kept to

function markWarnings(books: Accounts, sent: readonly Place[]): Issue[] {
  const { plan, walk, current, given, standing } = books
  const out: Issue[] = []
  const unused = given.summary && !standing && books.fitted.limit !== null && !isExcluded(books, given.summary.id)
  if (unused) out.push(issue('summary.unused', 'summary', given.summary?.until, 'the summary cannot stand here'))
  if (!plan.marks) return out
  const asked = current?.item.id ?? (walk.spared === null ? undefined : idAt(books, walk.spared))
  if (asked !== undefined && isExcluded(books, asked))
    out.push(issue('mark.excluded', 'marks.excluded', asked, 'the message to answer cannot be left out'))
  const shown = new Map<string | undefined, boolean>()
  for (const { kept } of sent)
    for (const { item } of kept ? [kept.slot, ...kept.merged] : []) shown.set(item.id, kept ? isShort(kept) : false)
  for (const id of plan.marks.pinned) {
    const short = current?.item.id === id ? false : shown.get(id)
    if (short === false) continue
    const fate = short ? 'had to be shortened' : 'could not be kept'
    out.push(issue('mark.pinned', 'marks.pinned', id, `a pinned message ${fate}`))
  }
  return out
}

/** By the limits, not by what the policy clips anyway. */
const isShort = ({ shape }: Kept): boolean =>
  shape.fate === 'clipped' && (shape.rule === 'mark.pinned' || shape.rule === 'fit.oversize')

const isExcluded = ({ plan }: Accounts, id: string | undefined): boolean =>
  id !== undefined && (plan.marks?.excluded.has(id) ?? false)

function idAt({ walk }: Accounts, index: number): string | undefined {
  const { admitted } = walk.record(index)
  return admitted.ok ? admitted.item.id : undefined
}

const issue = (code: IssueCode, field: string, value: unknown, message: string): Issue => ({
  code,
  field,
  value,
  message,
})
