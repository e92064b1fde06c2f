/** What became of decisions that could not be kept to. */

import type { Issue, IssueCode } from '../message/issue.js'
import type { Accounts } from './account.js'
import type { Place } from './lay.js'
import type { Kept } from './load.js'

export function markWarnings(books: Accounts, sent: readonly Place[]): Issue[] {
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
