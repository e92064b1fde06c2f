/** The order of roles that a provider asks for. */
import type { Item, Part } from '../../message/item.js'
import { text } from '../../message/item.js'
import type { Job } from './plain.js'
import { plainCall, plainText } from './plain.js'
import { type SpokenStep, stepsOf } from './steps.js'

export const openingCue = '(The conversation begins here.)'
export const closingCue = 'Continue.'

/** Items with the index each one had in the window; no indices when nothing has moved. */
export interface Sequence {
  readonly items: readonly Item[]
  readonly from?: readonly number[]
}

const cue = (value: string): Item => ({ role: 'user', mark: 'cue', parts: [text(value)] })

export function order(sequence: Sequence, job: Job): readonly Item[] {
  const { items, from } = led(sequence, job)
  if (job.traits.alternates) noteMerges(items, from, job)
  const thought = job.target === 'anthropic' && job.thinks ? settleThink(items, from, job) : items
  const settled = fewer(openLoop(thought, job), from, job)
  if (endsWithUser(settled.at(-1))) return settled
  job.note(job.window.items.length, 'ends_with_user', 'added')
  return [...settled, cue(closingCue)]
}

/** True when the last message on the wire is a user's or holds tool results. */
function endsWithUser(last: Item | undefined): boolean {
  return last?.role === 'user' || (last?.role === 'assistant' && last.parts.at(-1)?.type === 'call')
}

/** The user speaks first, or at all, where that is asked. */
function led(sequence: Sequence, job: Job): Sequence {
  if (job.traits.alternates) return lead(sequence, job)
  const { items, from } = sequence
  if (!job.traits.user || items.some((item) => item.role === 'user')) return sequence
  job.note(0, 'leads_with_user', 'added')
  return { items: [cue(openingCue), ...items], from: [0, ...items.map((_, i) => from?.[i] ?? i)] }
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
      job.tell(plainText(item, 'drop'))
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
    if (isOneMessage(before, item)) job.note(from?.[i] ?? i, 'merged', 'changed')
  }
}

/** Where roles alternate. */
export const isOneMessage = (before: Item, item: Item): boolean => item.role === before.role && !endsInCall(before)

const most = Number.POSITIVE_INFINITY

/** The oldest messages give way where a request may hold only so many. */
function fewer(items: readonly Item[], from: readonly number[] | undefined, job: Job): readonly Item[] {
  const { messages, callsAtOnce } = job.traits
  if (messages === most || items.length * 2 < messages) return items
  // one for a closing cue
  let over = job.system.length + 1 - messages
  for (const item of items) over += stepsOf(item, callsAtOnce).reduce((sum, { calls }) => sum + 1 + calls.length, 0)
  if (over <= 0) return items
  return items.filter((item, i) => {
    if (over <= 0 || item.pinned || i === items.length - 1) return true
    over -= stepsOf(item, callsAtOnce).reduce((sum, { calls }) => sum + 1 + calls.length, 0)
    job.note(from?.[i] ?? i, 'too_many', 'dropped')
    return false
  })
}

/** A Claude that thinks by a budget wants an open tool loop to begin with its thinking. Where that is lost, what was called is told in words. */
function openLoop(items: readonly Item[], job: Job): readonly Item[] {
  const { thinking } = job.window
  const { thinks } = job.claude ?? {}
  const end = items.findLastIndex((item) => item.role === 'assistant')
  if (end === -1 || items[end]?.parts.at(-1)?.type !== 'call' || thinking === false) return items
  const asked = thinks === 'manual' ? (thinking ?? job.thinks) : thinks === 'either' && thinking === true
  if (!asked) return items
  const start = items.findLastIndex((item, i) => i < end && item.role === 'user') + 1
  const steps = items.slice(start, end + 1).flatMap((item) => stepsOf(item))
  if (begins(steps)) return items
  job.note(Math.min(end, job.window.items.length - 1), 'call_told', 'changed')
  return items.map((item, i) => (i < start || i > end ? item : { ...item, parts: item.parts.flatMap(told) }))
}

/** The last message on the wire begins with thinking, also when it is made of several steps without calls. */
function begins(steps: readonly SpokenStep[]): boolean {
  const before = steps.findLastIndex((step, i) => i < steps.length - 1 && step.calls.length > 0)
  return steps[before + 1]?.said[0]?.type === 'think'
}

const told = (part: Part): readonly Part[] =>
  part.type === 'call' ? [text(plainCall(part))] : part.type === 'think' ? [] : [part]

/** Up to 4.6 a message of Anthropic's with thinking begins with it. One that does not loses all of its thinking: half of it would be refused. */
function settleThink(items: readonly Item[], from: readonly number[] | undefined, job: Job): readonly Item[] {
  if (job.claude && job.claude.version > 4.6) return items
  const lost = new Set<Part>()
  // the parts of one message on the wire, which several items may share
  let message: Part[] = []
  const close = (): void => {
    if (message[0]?.type !== 'think') for (const part of message) if (part.type === 'think') lost.add(part)
    message = []
  }
  for (const item of items) {
    if (item.role !== 'assistant') close()
    else
      for (const { said, calls } of stepsOf(item)) {
        message.push(...said)
        if (calls.length === 0) continue
        message.push(...calls)
        close()
      }
  }
  close()
  if (lost.size === 0) return items
  return items.map((item, i) => {
    if (!item.parts.some((part) => lost.has(part))) return item
    job.note(from?.[i] ?? i, 'think_dropped', 'dropped')
    return { ...item, parts: item.parts.filter((part) => !lost.has(part)) }
  })
}

const endsInCall = (item: Item): boolean => item.parts.at(-1)?.type === 'call'
