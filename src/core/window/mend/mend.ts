/** Makes any window legal for the target, however damaged the stored history was. */
import { type Item, text } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import type { Window } from '../../message/window.js'
import type { Traits } from '../../profile/traits.js'
import { boundedFiles } from './album.js'
import { demand } from './demand.js'
import { mendItem, splitCalls } from './mend-item.js'
import type { Sequence } from './order.js'
import { order } from './order.js'
import type { MendNote } from './plain.js'
import { isClean, isSilent, Job, plainText } from './plain.js'

export type { MendNote } from './plain.js'

export interface Mended {
  readonly items: readonly Item[]
  /** Texts for the provider's system channel, the window's own first. */
  readonly system: readonly string[]
  readonly notes: readonly MendNote[]
  /** What the target and its profile ask for. */
  readonly traits: Traits
}

/** `clean` may remember its answers by item: items do not change. */
export function mend(window: Window, target: Target, clean: Job['clean'] = isClean, known?: Traits): Mended {
  const job = new Job(window, target, clean, known)
  const { traits } = job
  const sequence = repair(window.items, job)
  if (!traits.chat) return { items: sequence.items, system: job.system, notes: job.notes, traits }
  const { items, system } = placed(demand(boundedFiles(order(sequence, job), job), job), job)
  return { items, system, notes: job.notes, traits }
}

/** The system texts where the server looks for them. */
function placed(items: readonly Item[], { traits, system }: Job): Pick<Mended, 'items' | 'system'> {
  if (system.length === 0 || traits.system === 'inside' || traits.system === 'channel') return { items, system }
  const whole = system.join('\n\n')
  const [first, ...rest] = items
  if (traits.system === 'first' || first?.role !== 'user') return { items, system: [whole] }
  return { items: [{ ...first, parts: [text(whole), ...first.parts] }, ...rest], system: [] }
}

/** Repairs each item by itself; nothing is copied until something has to change. */
function repair(items: readonly Item[], job: Job): Sequence {
  let out: Item[] | undefined
  let from: number[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const repaired = job.traits.chat ? repairChat(item, at, job) : repairPlain(item, at, job)
    if (repaired === item && !out) continue
    out ??= items.slice(0, at)
    from ??= Array.from(out, (_, i) => i)
    for (const piece of Array.isArray(repaired) ? (repaired as readonly Item[]) : [repaired as Item | undefined]) {
      if (!piece) continue
      out.push(piece)
      from.push(at)
    }
  }
  return out && from ? { items: out, from } : { items }
}

function repairChat(item: Item, at: number, job: Job): Item | readonly Item[] | undefined {
  if (job.isFine(item)) return item
  if (item.role === 'assistant' || !item.parts.some((part) => part.type === 'call')) return settle(item, at, job)
  job.note(at, 'call_moved', 'changed')
  return splitCalls(item).flatMap((piece) => settle(piece, at, job) ?? [])
}

function settle(item: Item, at: number, job: Job): Item | undefined {
  const mended = mendItem(item, at, job)
  if (!mended) return undefined
  if (mended.mark) return settleMark(mended, job)
  return mended.role === 'system' && job.traits.system !== 'inside' ? moveSystem(mended, at, job) : mended
}

/** A mark is no one's words: least of all the user's, whose part only a cue or a quotation may take. */
function settleMark(item: Item, job: Job): Item {
  if (item.role === 'assistant' || item.role === job.traits.markRole) return item
  return (item.mark === 'cue' || item.mark === 'recall') && item.role === 'user'
    ? item
    : { ...item, role: job.traits.markRole }
}

function repairPlain(item: Item, at: number, job: Job): Item | undefined {
  if (job.clean(item)) return item
  const { think } = job.window.style
  if (item.parts.every((part) => isSilent(part, think))) {
    job.note(at, 'empty', 'dropped')
    return undefined
  }
  if (item.role === 'system' && !item.mark && job.traits.system !== 'inside') return moveSystem(item, at, job)
  for (const part of item.parts) {
    if (part.type === 'think') {
      if (isSilent(part, think)) job.note(at, 'think_dropped', 'dropped')
      else job.note(at, 'think_text', 'changed')
    }
    if (part.type === 'file' && part.source.kind !== 'text') job.note(at, 'file_described', 'changed')
  }
  return item.mark ? settleMark(item, job) : item
}

function moveSystem(item: Item, at: number, job: Job): undefined {
  job.tell(plainText(item, 'drop'))
  job.note(at, 'system_moved', 'changed')
  return undefined
}
