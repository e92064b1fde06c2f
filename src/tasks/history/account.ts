/** The receipt of a window over a part of the history, as an account of all of it. */
import { type Line, type Receipt, totalsOf } from '../../core/receipt/receipt.js'

/** `chosen` are the positions, in the whole history, of the messages that the window was made of. */
export function accountOf(receipt: Receipt, chosen: readonly number[], older: number, messages: number): Receipt {
  if (older === 0 && chosen.length === messages) return receipt
  const place = (index: number): number => older + (chosen[index] ?? messages)
  const lines = [
    ...(older > 0 ? [unread(0, older - 1, 'not_read')] : []),
    ...filled(
      receipt.lines.flatMap((line) => spread(line, chosen)),
      messages,
    ).map((line) => moved(line, older)),
  ]
  const { request } = receipt
  const totals = totalsOf(lines, older + messages, receipt.totals.tokens.after)
  return {
    ...receipt,
    lines,
    totals,
    request: {
      ...request,
      messages: { ...request.messages, of: totals.messages + (receipt.current ? 1 : 0) },
      tokens: { sent: request.tokens.sent, of: null },
      each: request.each.map(([index, sent, whole]) => [place(index), sent, whole] as const),
    },
    gaps: receipt.gaps.map((gap) => ({ ...gap, before: place(gap.before) })),
    ...(receipt.risks && { risks: receipt.risks.map((risk) => ({ ...risk, message: place(risk.message) })) }),
  }
}

/** A line over neighbours in the window becomes one for each run of neighbours in the history. */
function spread(line: Line, chosen: readonly number[]): Line[] {
  const runs: [number, number][] = []
  for (let index = line.from; index <= line.to; index++) {
    const at = chosen[index] as number
    const last = runs.at(-1)
    if (last && last[1] === at - 1) last[1] = at
    else runs.push([at, at])
  }
  // what a run of several costs is known for the whole of it only
  const known = runs.length === 1
  return runs.map(([from, to]) => ({
    ...line,
    from,
    to,
    ...(known ? null : { tokens: null, chars: null, restore: null }),
  }))
}

/** Every message is in exactly one line: those that were not chosen belong to other matters. */
function filled(lines: readonly Line[], messages: number): Line[] {
  const out: Line[] = []
  let next = 0
  for (const line of [...lines].sort((one, other) => one.from - other.from)) {
    if (line.from > next) out.push(unread(next, line.from - 1, 'other_thread'))
    out.push(line)
    next = line.to + 1
  }
  if (next < messages) out.push(unread(next, messages - 1, 'other_thread'))
  return out
}

const moved = (line: Line, by: number): Line => ({ ...line, from: line.from + by, to: line.to + by })

/** Messages that no window looked at. */
const unread = (from: number, to: number, rule: string): Line => ({
  from,
  to,
  fate: 'dropped',
  stage: 'intake',
  rule,
  tokens: null,
  chars: null,
  restore: null,
})
