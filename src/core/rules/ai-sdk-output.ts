import type { Fields, Json } from './json.js'
import { content, isFields, isFilled, isList, isOptional, text } from './shape.js'
import type { Report } from './table/rule.js'

type Reports = Report<'tool.output' | 'content.shape' | 'content.empty' | 'text.blank'>

/** The output of an AI SDK tool result. */
export function aiSdkOutput(output: Json | undefined, path: string, report: Reports) {
  if (!isFields(output)) return report('tool.output', path, 'output must be an object with a type')
  const { type, value } = output
  if (type === 'text' || type === 'error-text') return text(value, `${path}.value`, report)
  if (type === 'json' || type === 'error-json') {
    if (value === undefined) report('tool.output', `${path}.value`, 'a json output must have a value')
    return
  }
  if (type === 'content' && isList(value))
    return content(value, `${path}.value`, report, (part, kind, at) => {
      if (kind === 'text') text(part.text, `${at}.text`, report)
      else if (!isMedia(part, kind)) report('tool.output', at, 'the part of the output has nothing to load')
    })
  const denied = type === 'execution-denied' && (isOptional(output.reason) || isFilled(output.reason))
  if (!denied) report('tool.output', path, 'unknown type of output, or a value that does not fit it')
}

function isMedia(part: Fields, kind: string): boolean {
  if (kind === 'custom') return true
  if (kind === 'media' || kind === 'file-data' || kind === 'image-data') {
    return isFilled(part.data) && isFilled(part.mediaType)
  }
  if (kind === 'file') return part.data !== undefined && isFilled(part.mediaType)
  if (kind === 'file-url' || kind === 'image-url') return isFilled(part.url)
  if (kind === 'file-id' || kind === 'image-file-id') return isFilled(part.fileId) || isFields(part.fileId)
  return (kind === 'file-reference' || kind === 'image-file-reference') && isFields(part.providerReference)
}
