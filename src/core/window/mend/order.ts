/** The order of roles that a provider asks for. */
import type { Item, Part } from '../../message/item.js'
import { text } from '../../message/item.js'
import type { Job } from './job.js'
import { plain } from './plain.js'

export const openingCue = '(The conversation begins here.)'
export const closingCue = 'Continue.'

/** Items with the index each one had in the window; no indices when nothing has moved. */
export interface Sequence {
  readonly items: readonly Item[]
  readonly from?: readonly number[]
}

const cue = (value: string): Item => ({ role: 'user', mark: 'cue', parts: [text(value)] })

export function order(sequence: Sequence, job: Job): readonly Item[] {
  const { items, from } = job.traits.alternates ? lead(sequence, job) : sequence
  if (job.traits.alternates) noteMerges(items, from, job)
  const settled = job.target === 'anthropic' && job.thinks ? settleThink(items, from, job) : items
  if (endsWithUser(settled.at(-1))) return settled
  job.note(job.window.items.length, 'ends_with_user', 'added')
  return [...settled, cue(closingCue)]
}

/** True when the last message on the wire is a user's or holds tool results. */
function endsWithUser(last: Item | undefined): boolean {
  return last?.role === 'user' || (last?.role === 'assistant' && last.parts.at(-1)?.type === 'call')
}

function lead(sequence: Sequence, job: Job): Sequence {
  const { items, from } = sequence
  if (items[0]?.role === 'user') return sequence
  const first = items.findIndex((item) => item.role === 'user')
  const before = first === -1 ? items : items.slice(0, first)
  // what is pinned stays, so the conversation has to begin before it
  if (first === -1 || before.some((item) => item.pinned)) {
    job.note(0, 'leads_with_user', 'added')
    return { items: [cue(openingCue), ...items], from: [0, ...items.map((_, i) => from?.[i] ?? i)] }
  }
  for (const [i, item] of before.entries()) {
    const at = from?.[i] ?? i
    if (!item.mark) job.note(at, 'leads_with_user', 'dropped')
    else {
      job.tell(plain(item, 'drop'))
      job.note(at, 'mark_moved', 'changed')
    }
  }
  const rest = items.slice(first)
  return { items: rest, from: rest.map((_, i) => from?.[first + i] ?? first + i) }
}

function noteMerges(items: readonly Item[], from: readonly number[] | undefined, job: Job): void {
  for (let i = 1; i < items.length; i++) {
    const item = items[i] as Item
    const before = items[i - 1] as Item
    if (item.role === before.role && !endsInCall(before)) job.note(from?.[i] ?? i, 'merged', 'changed')
  }
}

/** Anthropic takes reasoning only before the text and calls of its message. */
function settleThink(items: readonly Item[], from: readonly number[] | undefined, job: Job): readonly Item[] {
  let settled: Item[] | undefined
  let spoken = false
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item
    if (item.role !== 'assistant') spoken = false
    else {
      const parts: Part[] = []
      let called = false
      for (const part of item.parts) {
        if (called && part.type !== 'call') spoken = false
        called = part.type === 'call'
        if (part.type !== 'think') spoken = true
        else if (spoken) continue
        parts.push(part)
      }
      if (called) spoken = false
      if (parts.length < item.parts.length) {
        job.note(from?.[i] ?? i, 'think_dropped', 'dropped')
        settled ??= items.slice()
        settled[i] = { ...item, parts }
      }
    }
  }
  return settled ?? items
}

const endsInCall = (item: Item): boolean => item.parts.at(-1)?.type === 'call'
