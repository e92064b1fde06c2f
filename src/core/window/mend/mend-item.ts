/** One item, made legal by itself. */
import type { FilePart, Item, Part, ThinkPart } from '../../message/item.js'
import { text } from '../../message/item.js'
import { sameModel, sameRoute } from '../../message/model-name.js'
import { isBlank, isWellFormed, wellFormed } from '../../message/text.js'
import { alwaysThinks } from '../../profile/claude.js'
import { mendCall } from './call.js'
import { carriesFile, fileText, isBlankFile, withLegalName } from './file.js'
import type { Job } from './plain.js'
import { plainCall } from './plain.js'
import { carriesThink, reasoningText } from './think.js'

/** The same item when nothing was wrong, nothing when nothing is left. */
export function mendItem(item: Item, at: number, job: Job): Item | undefined {
  let parts: Part[] | undefined
  let blank = false
  const own = ownsThoughts(item, job)
  for (const [i, part] of item.parts.entries()) {
    const mended = mendPart(part, item, own, at, job)
    blank ||= !mended && part.type !== 'think'
    if (mended === part) parts?.push(part)
    else {
      parts ??= item.parts.slice(0, i)
      if (mended) parts.push(mended)
    }
  }
  const kept = withoutTrailingThink(parts ?? item.parts, at, job)
  if (kept.length === 0) {
    job.note(at, 'empty', 'dropped')
    return undefined
  }
  if (blank) job.note(at, 'empty', 'changed')
  return kept === item.parts ? item : { ...item, parts: kept }
}

/** Calls that stand in a user's or system's item get assistant items of their own, in place. */
export function splitCalls(item: Item): readonly Item[] {
  const pieces: { role: Item['role']; parts: Part[] }[] = []
  for (const part of item.parts) {
    const role = part.type === 'call' ? 'assistant' : item.role
    const last = pieces.at(-1)
    if (last?.role === role) last.parts.push(part)
    else pieces.push({ role, parts: [part] })
  }
  return pieces.map(({ role, parts }) => (role === item.role ? { ...item, parts } : { role, parts }))
}

function mendPart(part: Part, item: Item, own: boolean, at: number, job: Job): Part | undefined {
  switch (part.type) {
    case 'text':
      if (isBlank(part.text)) return undefined
      if (isWellFormed(part.text)) return part
      job.note(at, 'text_fixed', 'changed')
      return text(wellFormed(part.text))
    case 'think':
      return mendThink(part, item, own, at, job)
    case 'file':
      return mendFile(part, item, at, job)
    case 'call':
      if (job.traits.calls === 'own') return mendCall(part, at, job)
      job.note(at, 'call_told', 'changed')
      return text(plainCall(part))
  }
}

/** True when the reasoning of the item goes back to the model it came from, the way it came. */
function ownsThoughts(item: Item, { target, model, traits, claude, window }: Job): boolean {
  if (item.role !== 'assistant') return false
  const same = target === 'google' || target === 'openai-responses' ? sameRoute : sameModel
  if (!same(item.model, model)) return false
  if (claude && window.thinking === false && !alwaysThinks(claude)) return false
  // Anthropic takes all blocks of a message, or none
  return (
    target !== 'anthropic' || item.parts.every((part) => part.type !== 'think' || carriesThink(target, part, traits))
  )
}

function mendThink(part: ThinkPart, item: Item, mine: boolean, at: number, job: Job): Part | undefined {
  const own = mine && carriesThink(job.target, part, job.traits) && isOwnIssue(part, job)
  if (own && job.claimThink(part)) return part
  if (own || item.role !== 'assistant' || job.window.style.think === 'drop' || isBlank(part.text)) {
    job.note(at, 'think_dropped', 'dropped')
    return undefined
  }
  job.note(at, 'think_text', 'changed')
  return text(wellFormed(reasoningText(part)))
}

/** What OpenAI and Google seal or sign for one account they refuse from another. */
function isOwnIssue({ issuer }: ThinkPart, { target, window }: Job): boolean {
  if (target !== 'openai-responses' && target !== 'google') return true
  return issuer === undefined || window.issuer === undefined || issuer === window.issuer
}

function mendFile(part: FilePart, item: Item, at: number, job: Job): Part | undefined {
  if (isBlankFile(part)) return undefined
  if (item.role === 'user' && carriesFile(job.target, part, job.traits.images)) return withLegalName(part)
  if (part.source.kind !== 'text') job.note(at, 'file_described', 'changed')
  return text(fileText(part))
}

/** Reasoning is never sent without what it led to. */
function withoutTrailingThink(parts: readonly Part[], at: number, job: Job): readonly Part[] {
  let end = parts.length
  while (end > 0 && parts[end - 1]?.type === 'think') end--
  if (end === parts.length || job.goesOn(at)) return parts
  job.note(at, 'think_dropped', 'dropped')
  return parts.slice(0, end)
}
