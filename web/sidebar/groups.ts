/** The list as it is drawn: headings by time, the pinned ones first. */
import type { Conversation } from '../../src/client/index.js'
import { locale } from '../strings/number.js'
import { strings } from '../strings/pages.js'

export type Line =
  | { readonly type: 'head'; readonly key: string; readonly label: string }
  | { readonly type: 'row'; readonly key: string; readonly one: Conversation }

const day = 86_400_000
let month: Intl.DateTimeFormat | undefined
let bare: Intl.DateTimeFormat | undefined

export function linesOf(items: readonly Conversation[], now = Date.now()): readonly Line[] {
  const lines: Line[] = []
  let last = ''
  for (const one of items) {
    const label = one.pinned ? strings.groups.pinned : groupOf(Date.parse(one.updated_at), now)
    if (label !== last) lines.push({ type: 'head', key: `head ${label}`, label })
    last = label
    lines.push({ type: 'row', key: one.id, one })
  }
  return lines
}

export function groupOf(then: number, now: number): string {
  const start = new Date(now).setHours(0, 0, 0, 0)
  if (then >= start) return strings.groups.today
  if (then >= start - day) return strings.groups.yesterday
  if (then >= start - 7 * day) return strings.groups.week
  const [at, today] = [new Date(then), new Date(now)]
  // once, when the language is known
  bare ??= new Intl.DateTimeFormat(locale, { month: 'long' })
  month ??= new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  return at.getFullYear() === today.getFullYear() ? bare.format(at) : month.format(at)
}
