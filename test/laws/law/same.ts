/** The same again: of a window, of the same input, of an input that nobody touched. */
import { createHash } from 'node:crypto'
import type { WindowItem } from '../../../src/index.js'
import type { Good, Trial } from '../trial.js'
import type { Law } from './read.js'

/** What was said, by whom. */
const sayings = (items: readonly WindowItem[]): string[] =>
  items.filter((item) => item.fate !== 'marker').map((item) => `${item.author ?? item.role}: ${item.text.trim()}`)

const calls = (items: readonly WindowItem[]): string =>
  JSON.stringify(items.flatMap((item) => item.parts.filter((part) => part.type === 'call')))

/** P-08: `again` was built from the items of `first`. Tools may be abbreviated further as the border moves. */
export function idempotent(first: Good, again: Trial): string[] {
  if (!again.result.ok) return [`its own window is refused: ${again.result.error.message}`]
  const [one, two] = [sayings(first.result.items), sayings(again.result.items)]
  if (one.length !== two.length) return [`${one.length} items became ${two.length}`]
  const at = one.findIndex((said, i) => said !== two[i])
  if (at >= 0)
    return [`item ${at} changed: ${JSON.stringify(one[at]?.slice(0, 80))} to ${JSON.stringify(two[at]?.slice(0, 80))}`]
  if (first.policy.fold.tools === 'abbreviate' || calls(first.result.items) === calls(again.result.items)) return []
  return ['the calls have changed']
}

/** P-09 */
export function sameBytes(one: Trial, other: Trial, whole = true): string[] {
  if (!one.result.ok || !other.result.ok) {
    const [first, second] = [one, other].map(({ result }) => (result.ok ? 'ok' : result.error.code))
    return first === second ? [] : [`once ${first}, once ${second}`]
  }
  const out: string[] = []
  if (JSON.stringify(one.result.rendered) !== JSON.stringify(other.result.rendered)) out.push('other bytes')
  if (one.result.receipt.wire.hash !== other.result.receipt.wire.hash) out.push('another hash')
  if (one.result.receipt.policy.hash !== other.result.receipt.policy.hash) out.push('another policy')
  if (whole && JSON.stringify(one.result) !== JSON.stringify(other.result)) out.push('another result')
  return out
}

/** P-09: the hash in the receipt is that of the request. */
export const trueHash: Law = ({ result: { rendered, receipt } }) => {
  const wire = typeof rendered === 'string' ? rendered : JSON.stringify(rendered)
  const hash = createHash('sha256').update(wire).digest('hex')
  return hash === receipt.wire.hash && wire.length === receipt.wire.length
    ? []
    : ['the receipt has the hash of something else']
}

/** P-10: objects of the input that stand in the output too. */
export function aliases(input: unknown, output: unknown): string[] {
  const mine = new Set<object>()
  collect(input, mine)
  const theirs = new Map<object, string>()
  paths(output, 'result', theirs)
  return [...theirs].filter(([object]) => mine.has(object)).map(([, path]) => `${path} is the input's own object`)
}

function collect(value: unknown, into: Set<object>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  into.add(value)
  for (const inner of Object.values(value)) collect(inner, into)
}

function paths(value: unknown, path: string, into: Map<object, string>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  into.set(value, path)
  for (const [key, inner] of Object.entries(value)) paths(inner, `${path}.${key}`, into)
}
