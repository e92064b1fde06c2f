/** The pictures of a history: the text names them, and they travel beside it. */
import { decode } from '../../core/message/dialects/decode.js'
import type { FilePart, Part } from '../../core/message/item.js'
import { base64Of, isImage, mediaTypeOf } from '../../core/window/mend/file.js'
import type { StoredHistory } from '../../recipes/handoff.js'
import type { TaskImage } from '../record/agent.js'

interface Holder {
  readonly attachments?: unknown
  readonly parts?: unknown
  readonly content?: unknown
}

/** The same messages, in which every picture has a name of its own; others are as they were. */
export function withNamedImages(messages: readonly unknown[], content: 'any' | 'string' | 'coerce'): unknown[] {
  const taken = new Set<string>()
  let count = 0
  const nameOf = (file: FilePart): string => {
    count++
    const given = file.name ?? ''
    const usual = `image-${count}.${mediaTypeOf(file).split(/[/+]/)[1]?.replace(/\W/g, '') || 'img'}`
    const name = safe.test(given) && !taken.has(given) ? given : usual
    taken.add(name)
    return name
  }
  const namedPart = (part: Part): Part => (isPicture(part) ? { ...part, name: nameOf(part) } : part)
  const namedAttachment = (raw: unknown): unknown => {
    const picture = filesIn({ attachments: [raw] }).find(isPicture)
    return picture ? { ...(raw as object), name: nameOf(picture) } : raw
  }
  return messages.map((message) => {
    const { attachments, parts, content: said } = (message ?? {}) as Holder
    if (Array.isArray(attachments)) return { ...(message as object), attachments: attachments.map(namedAttachment) }
    if (!Array.isArray(parts) && !(content === 'any' && Array.isArray(said))) return message
    const decoded = decode(message)
    if (!decoded.ok || !decoded.parts.some(isPicture)) return message
    const { content: _, ...rest } = message as Holder
    return { ...rest, parts: decoded.parts.map(namedPart) }
  })
}

/** What a message brings beside its words, as specification 0 writes it. */
export function attachmentsOf(message: unknown): readonly unknown[] | undefined {
  const { attachments } = (message ?? {}) as Holder
  if (Array.isArray(attachments)) return attachments
  const files = filesIn(message)
  return files.length === 0 ? undefined : files.map(attachmentOf)
}

export function attachmentOf(file: FilePart): object {
  const { mediaType, name, source } = file
  const said = { type: isImage(file) ? 'image' : 'file', mediaType, ...(name !== undefined && { name }) }
  if (source.kind === 'data') return { ...said, data: source.base64 }
  if (source.kind === 'url') return { ...said, url: source.url }
  return source.kind === 'text' ? { ...said, content: source.text } : { ...said, url: `blob:${source.id}` }
}

/** The pictures of what was handed over, in the order in which the text names them. */
export function imagesOf({ messages = [] }: Partial<StoredHistory>): readonly TaskImage[] {
  return messages.flatMap(({ attachments = [] }) =>
    filesIn({ attachments })
      .filter(isPicture)
      .flatMap((file): TaskImage[] => {
        const { name, source } = file
        const base64 = base64Of(file)
        if (name === undefined) return []
        if (base64 !== undefined) return [{ name, mediaType: mediaTypeOf(file), source: { kind: 'data', base64 } }]
        return source.kind === 'url' && source.url.startsWith('https:')
          ? [{ name, mediaType: mediaTypeOf(file), source }]
          : []
      }),
  )
}

/** A name that is one word of a line and of a path. */
const safe = /^\w[\w.-]{0,79}$/

const isPicture = (part: Part): part is FilePart => part.type === 'file' && part.source.kind !== 'text' && isImage(part)

function filesIn(message: unknown): readonly FilePart[] {
  const { attachments, parts, content } = (message ?? {}) as Holder
  const decoded = decode({
    role: 'user',
    ...(parts ? { parts } : { content: content ?? '' }),
    ...(attachments ? { attachments } : null),
  })
  return decoded.ok ? decoded.parts.filter((part): part is FilePart => part.type === 'file') : []
}
