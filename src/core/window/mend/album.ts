/** The pictures of a whole request, within what its provider takes: the oldest are described in words. */
import { type FilePart, type Item, type OutputPart, type Part, text } from '../../message/item.js'
import { base64Of, described, isImage, longerSide } from './file.js'
import type { Job } from './plain.js'

export function boundedFiles(items: readonly Item[], job: Job): readonly Item[] {
  const files: FilePart[] = []
  for (const { parts } of items) for (const part of parts) if (part.type !== 'text') files.push(...filesOf(part))
  const dropped = excess(files.reverse(), job)
  if (dropped.size === 0) return items
  const write = <T extends Part | OutputPart>(part: T): T | ReturnType<typeof text> =>
    part.type === 'file' && dropped.has(part) ? text(described(part)) : part
  return items.map((item, i) => {
    if (!item.parts.some((part) => filesOf(part).some((file) => dropped.has(file)))) return item
    job.note(Math.min(i, job.window.items.length - 1), 'file_described', 'changed')
    const parts = item.parts.map((part): Part => {
      if (part.type !== 'call' || part.outcome.state === 'pending') return write(part)
      return { ...part, outcome: { ...part.outcome, output: part.outcome.output.map(write) } }
    })
    return { ...item, parts }
  })
}

/** Files with bytes or an address; text is text. */
function filesOf(part: Part): readonly FilePart[] {
  if (part.type === 'file') return part.source.kind === 'text' ? [] : [part]
  if (part.type !== 'call' || part.outcome.state === 'pending') return []
  return part.outcome.output.filter((one) => one.type === 'file' && one.source.kind !== 'text') as readonly FilePart[]
}

/** `files`: the newest first. */
function excess(files: readonly FilePart[], { traits: { images } }: Job): ReadonlySet<FilePart> {
  const dropped = new Set<FilePart>()
  const wide = files.length > images.many && files.some((file) => longerSide(base64Of(file) ?? '') > images.manySide)
  const most = wide ? Math.min(images.many, images.count) : images.count
  let total = 0
  let count = 0
  for (const file of files) {
    const size = base64Of(file)?.length ?? 0
    if (count >= most || total + size > images.total) dropped.add(file)
    else {
      total += size
      count++
    }
  }
  return dropped
}

export const isPicture = (part: OutputPart): part is FilePart => part.type === 'file' && isImage(part)
