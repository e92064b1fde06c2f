/** Attachments beside the content of any message: code, diagrams, images, files. */

import type { FilePart } from '../item.js'
import { factsOf, file, fileOf } from './file.js'
import { clean, each, firstOf, isRaw, note, own, type Raw, type Sink, typeName } from './read.js'

export function readAttachments(message: Raw, key: string, sink: Sink): void {
  const list = own(message, key)
  if (list === undefined || list === null) return
  if (!Array.isArray(list)) {
    note(sink, key, `attachments are a list, not ${typeName(list)}`)
    return
  }
  each(list, key, sink, (entry, at) => {
    const part = isRaw(entry) ? attachment(entry, at, sink) : undefined
    if (part) sink.parts.push(part)
    else note(sink, at, 'an attachment without content')
  })
}

function attachment(raw: Raw, at: string, sink: Sink): FilePart | undefined {
  const facts = factsOf(raw, at, sink)
  const type = own(raw, 'type')
  const content = firstOf(raw, 'content', 'text')
  const image = type === 'image' || facts.mediaType?.startsWith('image/') === true
  if (typeof content === 'string' && content !== '' && isText(content, image, facts.mediaType)) {
    const otherwise = image ? 'image/svg+xml' : 'text/plain'
    return file({ kind: 'text', text: clean(content, `${at}.content`, sink) }, facts.mediaType ?? otherwise, facts)
  }
  return fileOf(content ?? firstOf(raw, 'data', 'url', 'image'), at, sink, facts, image ? 'image/*' : undefined)
}

/** Content is text unless it is told or shown to be something else. */
function isText(content: string, image: boolean, mediaType: string | undefined): boolean {
  if (image) return content.trimStart().startsWith('<')
  if (/^data:[^,]*,/.test(content) || /^https?:\/\/\S+$/.test(content)) return false
  return mediaType === undefined || /^text\/|json|xml|yaml|javascript|typescript/.test(mediaType)
}
