/** A receipt in words, for people. */
import { upToDate } from './older.js'
import type { Line, Receipt, WindowRoom } from './receipt.js'

export const signs: Readonly<Record<Line['fate'], string>> = {
  kept: '●',
  clipped: '✂',
  folded: '⊂',
  summarised: '▤',
  recalled: '↩',
  dropped: '∅',
}

const reasons: Readonly<Record<string, string>> = {
  pinned: 'pinned: the conversation begins here',
  over_tokens: 'over the token budget',
  over_messages: 'over the number of messages',
  over_turns: 'over the number of turns',
  over_chars: 'over the number of characters',
  over_bytes: 'over the size of the request',
  'clip.user': 'longer than a user message may be',
  'clip.assistant': 'longer than an answer may be',
  'clip.tool': 'tool result longer than it may be',
  'fold.abbreviate': 'old tool results are shortened',
  'fold.inline': "tool traffic is told in the assistant's words",
  'fold.drop': 'tool traffic is left out',
  'fold.files': 'its files are named, not sent',
  'fit.oversize': 'shortened to the room that was left',
  'fit.summary': 'told by the summary',
  recall: 'quoted before the question',
  passed_on: 'passed on as it came',
  'mark.pinned': 'someone pinned it',
  'mark.excluded': 'someone left it out',
  'mark.whole': 'someone wants it whole',
  'fold.live': 'its tool results are still to be answered',
  leads_with_user: 'the provider wants a user message first',
  duplicate: 'was there already',
  orphan: 'a tool result without its call',
  tool_pair: 'a tool result whose call was left out',
  role: 'this role may not speak here',
  system: 'the system prompt',
  empty: 'says nothing',
  malformed: 'is no message',
  no_message: 'a summary or a note stands here',
  too_long: 'over the hard limit',
}

/** Why, in words; a rule of someone else's speaks for itself. */
export const reasonOf = (rule: string): string => reasons[rule] ?? rule

/** One screen: what was sent, what was not, why, and what it would cost to bring it back. @example console.log(explain(made.receipt)) */
export function explain(given: Receipt): string {
  const receipt = upToDate(given)
  const { budget } = receipt
  const out = [head(receipt), meter(receipt), counts(receipt), '']
  const rows = receipt.lines.length <= 16 ? receipt.lines.map((line) => [line]) : byReason(receipt.lines)
  const width = Math.min(24, Math.max(3, ...rows.map((lines) => ranges(lines).length)))
  for (const lines of rows) out.push(row(lines, width))
  if (receipt.current)
    out.push(`  ${'now'.padEnd(width)} ● current     ${amount(receipt.current.tokens)}  the message to answer`)
  if (budget.limit)
    out.push(
      '',
      `The limit that bit: ${budget.limit}.${budget.excess > 0 ? ` Over it by ${budget.excess}, as what must stay does not fit.` : ''}`,
    )
  if (receipt.mended.length > 0)
    out.push(
      `Made legal for ${receipt.target}: ${receipt.mended.map(({ rule, count }) => `${rule} ×${count}`).join(', ')}.`,
    )
  if (receipt.room) out.push(roomSay(receipt.room))
  if (receipt.risks && receipt.risks.length > 0)
    out.push(`Specifics at risk: ${receipt.risks.map(({ text }) => text).join(' · ')}`)
  for (const warning of receipt.warnings) out.push(`! ${warning.message}`)
  return out.join('\n')
}

function head(receipt: Receipt): string {
  const { counter, model } = receipt
  const who = model ? `${model.id}${model.source === 'assumed' ? ' (window assumed)' : ''}` : 'no model named'
  const policy = receipt.policy.compat ? `${receipt.policy.name} (${receipt.policy.compat})` : receipt.policy.name
  return `${who} · ${policy} · ${receipt.target} · counted by ${counter.name}${counter.exact ? '' : ' (estimate)'}`
}

function meter({ request }: Receipt): string {
  const { budget, used, free } = request
  if (budget === null) return `${number(used)} tokens, no token limit`
  const full = budget > 0 ? Math.min(1, used / budget) : 1
  const bar = '█'.repeat(Math.round(full * 30)).padEnd(30, '·')
  return `▕${bar}▏ ${number(used)} of ${number(budget)} tokens (${Math.round(full * 100)} %), ${number(free ?? 0)} free`
}

function counts({ totals, request: { messages, tokens } }: Receipt): string {
  const said = (Object.keys(signs) as Line['fate'][]).filter((fate) => totals[fate] > 0)
  const whole = tokens.of === null ? '' : ` of ${tokens.estimated ? 'about ' : ''}${number(tokens.of)}`
  return `${number(messages.sent)} of ${number(messages.of)} messages sent, ${number(tokens.sent)}${whole} tokens: ${said.map((fate) => `${number(totals[fate])} ${fate}`).join(', ') || 'none'}`
}

const whyFull = {
  policy: 'this policy does not cut in steps',
  not_cached: 'nothing is cached',
  too_short: 'the provider does not cache a request this short',
} as const

function roomSay({ why, turns, price, next }: WindowRoom): string {
  if (why !== 'cached') return `As full as it gets: ${whyFull[why]}.`
  const saves = next
    ? ` The next step frees about ${number(next.saves)} tokens and resends about ${number(next.costs)}.`
    : ''
  return `Cut in steps, so that requests begin alike and can be cached: a step makes room for about ${turns} turns. A request costs about ${number(price.steps)} uncached tokens; a window kept full would cost ${number(price.full)}.${saves}`
}

/** A long receipt is told by reason instead of by position. */
function byReason(lines: readonly Line[]): Line[][] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = `${line.fate} ${line.rule}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()]
}

function ranges(lines: readonly Line[]): string {
  const told = lines.slice(0, 3).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`))
  return told.join(', ') + (lines.length > 3 ? ', …' : '')
}

function row(lines: readonly Line[], width: number): string {
  const [{ fate, rule }] = lines as [Line]
  const tokens = lines.every((line) => line.tokens) ? ([total(lines, 0), total(lines, 1)] as const) : null
  const restore = lines.reduce((sum, line) => sum + (line.restore ?? 0), 0)
  const cost = restore > 0 ? `  (+${number(restore)} to restore)` : ''
  return `  ${ranges(lines).padEnd(width)} ${signs[fate]} ${fate.padEnd(11)} ${amount(tokens)}  ${reasonOf(rule)}${cost}`
}

const total = (lines: readonly Line[], when: 0 | 1): number =>
  lines.reduce((sum, line) => sum + (line.tokens?.[when] ?? 0), 0)

function amount(tokens: readonly [number, number] | null): string {
  return (tokens ? `${number(tokens[1])}/${number(tokens[0])}` : 'not counted').padStart(15)
}

const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
