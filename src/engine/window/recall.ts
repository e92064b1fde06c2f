/** What a history remembers of its last window: the messages it was built from, and what core worked out about them. */

import type { Part } from '../../core/message/item.js'
import type { Policy } from '../../core/policy/schema.js'
import { createMemo, type Memo } from '../../core/window/memo.js'
import type { Body, Entry } from '../../store/contract/entry.js'
import { messageOf } from './messages.js'

export interface WindowRecall {
  readonly memo: Memo
  /** The message of an entry: the very one of the last window, if the entry is still the same. */
  readonly message: (entry: Entry, policy: Policy) => object | undefined
  /** How often the reach had to be doubled for the last window. */
  readonly doublings: number
  /** Says how often it was for this one. */
  reached(doublings: number): void
}

interface Kept {
  readonly memo: Memo
  readonly messages: ReadonlyMap<string, object>
  readonly windows: number
  readonly doublings: number
  readonly chars: number
  readonly ref: WeakRef<object>
}

/** More messages than this are not worth their memory. */
export const capacity = 1_000
/** A memo also keeps what belonged to other policies and times, so it is given up after so many windows. */
const life = 100

/** Characters that all histories of a process keep, about; each counts for at least so many. */
const [most, least] = [16_000_000, 10_000]

/** Goes with the history that holds the source. */
const kept = new WeakMap<object, Kept>()
/** What each counts for; the one that was used last is the last. */
const weights = new Map<Kept['ref'], number>()
let sum = 0

function keep(source: object, made: Kept): void {
  sum += made.chars - (weights.get(made.ref) ?? 0)
  weights.delete(made.ref)
  weights.set(made.ref, made.chars)
  kept.set(source, made)
  for (const [ref, chars] of weights) {
    if (sum <= most || ref === made.ref) return
    sum -= chars
    weights.delete(ref)
    kept.delete(ref.deref() ?? ref)
  }
}

export function recallOf(source: object): WindowRecall {
  const last = kept.get(source)
  const { memo, messages: before, windows, doublings } = last && last.windows < life ? last : fresh()
  const ref = last?.ref ?? new WeakRef(source)
  const messages = new Map<string, object>()
  let chars = least
  const reached = (times: number): void =>
    keep(source, { memo, messages, windows: windows + 1, doublings: times, chars, ref })
  reached(doublings)
  return {
    memo,
    doublings,
    reached,
    message(entry, policy) {
      if (entry.redacted || hasFile(entry.body)) return messageOf(entry, policy)
      // an entry never changes under its hash; a policy may want its text alone
      const { content } = policy.intake
      const name = content === 'any' ? entry.hash : `${entry.hash}${content}`
      const known = messages.get(name)
      if (known) return known
      const old = before.get(name)
      const message = old && isIntact(old, entry, memo, policy) ? old : messageOf(entry, policy)
      if (!message || messages.size >= capacity) return message
      messages.set(name, message)
      chars += entry.text.length || entry.tokens * 4
      return message
    },
  }
}

const hasFile = (body: Body): boolean =>
  (body.kind === 'message' ? body.parts : body.kind === 'result' ? body.output : []).some(({ type }) => type === 'file')

/** The input of a call is in the hands of whoever got the last window: where it was changed, nothing of it is remembered. */
function isIntact(message: object, { body }: Entry, { tables }: Memo, policy: Policy): boolean {
  const said = body.kind === 'message' ? inputsOf(body.parts) : ''
  if (said === '') return true
  return [...(tables.get(policy)?.values() ?? [])].every(({ records }) => {
    const admitted = records.get(message)?.admitted
    return !admitted?.ok || inputsOf(admitted.item.parts) === said
  })
}

const inputsOf = (parts: readonly Part[]): string =>
  parts.reduce((all, part) => (part.type === 'call' ? `${all}\n${JSON.stringify(part.input)}` : all), '')

const fresh = () => ({ memo: createMemo(), messages: new Map<string, object>(), windows: 0, doublings: 0 })
