/** What some servers want to see beside the words: reasoning, signatures, an answer between a result and a user. */
import { type CallPart, type Item, type Part, type ThinkPart, text } from '../../message/item.js'
import { isBlank } from '../../message/text.js'
import { signsCalls, skipSignature } from '../../profile/gemini.js'
import type { Job } from './plain.js'
import { type SpokenStep, stepsOf } from './steps.js'
import { isFilled } from './think.js'

/** Stands for reasoning that was not kept. */
const noReasoning: ThinkPart = { type: 'think', text: '.' }
const noSignature: ThinkPart = { type: 'think', text: '', signature: skipSignature }
/** Stands between a result and the user. */
export const bridge = 'OK.'

export function demand(items: readonly Item[], job: Job): readonly Item[] {
  const { traits, target } = job
  const spoken = traits.bridge ? bridged(items, job) : items
  if (target === 'google') return signed(spoken, job)
  const joined = target === 'openai-chat' && traits.alternates ? merged(spoken) : spoken
  const returns = target === 'openai-chat' || target === 'anthropic'
  return traits.reasoning !== 'none' && returns ? reasoned(joined, job) : joined
}

function bridged(items: readonly Item[], job: Job): readonly Item[] {
  return items.flatMap((item, i) => {
    const before = items[i - 1]
    if (item.role !== 'user' || before?.role !== 'assistant' || before.parts.at(-1)?.type !== 'call') return [item]
    job.note(Math.min(i, job.window.items.length), 'bridged', 'added')
    return [{ role: 'assistant', mark: 'cue', parts: [text(bridge)] } satisfies Item, item]
  })
}

/** Neighbours of one role as one message; a step behind a result is a message of its own. */
function merged(items: readonly Item[]): readonly Item[] {
  const out: Item[] = []
  for (const item of items) {
    const before = out.at(-1)
    if (before?.role !== item.role || before.parts.at(-1)?.type === 'call') out.push(withOneText(item))
    else out[out.length - 1] = withOneText({ ...before, parts: [...before.parts, ...item.parts] })
  }
  return out
}

/** Neighbouring texts as one: templates take no lists of texts. */
function withOneText(item: Item): Item {
  const parts: Part[] = []
  for (const part of item.parts) {
    const last = parts.at(-1)
    if (part.type === 'text' && last?.type === 'text') parts[parts.length - 1] = text(`${last.text}\n\n${part.text}`)
    else parts.push(part)
  }
  return parts.length === item.parts.length ? item : { ...item, parts }
}

/** Each message of the assistant, or each with calls, has reasoning. */
function reasoned(items: readonly Item[], job: Job): readonly Item[] {
  const lacks = ({ said, calls }: SpokenStep): boolean =>
    (job.traits.reasoning === 'all' || calls.length > 0) && !said.some((part) => part.type === 'think')
  return items.map((item, i) => {
    const steps = item.role === 'assistant' ? stepsOf(item, job.traits.callsAtOnce) : []
    if (!steps.some(lacks)) return item
    job.note(Math.min(i, job.window.items.length - 1), 'reasoning_added', 'changed')
    const proof = job.target === 'anthropic' ? { ...noReasoning, signature: 'bm9uZQ==' } : noReasoning
    return {
      ...item,
      parts: steps.flatMap((step): Part[] => [...(lacks(step) ? [proof] : []), ...step.said, ...step.calls]),
    }
  })
}

/** Gemini 3 wants the first call of each step of the turn that goes on to be signed. */
function signed(items: readonly Item[], job: Job): readonly Item[] {
  const told = job.window.items.some(({ parts }) =>
    parts.some((part) => part.type === 'think' && isFilled(part.signature)),
  )
  // a name that says nothing of Gemini leaves it to the signatures
  if (!signsCalls(job.model) && !(told && !/gemini-[12]\b/i.test(job.model ?? ''))) return items
  const start = items.findLastIndex(({ role }) => role === 'user')
  return items.map((item, i) => {
    if (i < start || item.role !== 'assistant') return item
    const bare = stepsOf(item).flatMap(({ said, calls: [first] }) => (first && !isSigned(said) ? [first] : []))
    if (bare.length === 0) return item
    for (const _ of bare) job.note(Math.min(i, job.window.items.length - 1), 'signature_added', 'changed')
    const first = new Set<Part>(bare satisfies CallPart[])
    return { ...item, parts: item.parts.flatMap((part) => (first.has(part) ? [noSignature, part] : [part])) }
  })
}

/** A signature without a thought of its own is for the next part. */
function isSigned(said: SpokenStep['said']): boolean {
  let pending = false
  for (const part of said) {
    if (part.type !== 'think') pending = false
    else if (isBlank(part.text)) pending = isFilled(part.signature)
  }
  return pending
}
