/** What an entry looks like in the UI, from its parts alone. */
import type { CallPart, FilePart, OutputPart, Part, ThinkPart } from '../../core/message/item.js'
import { fileText } from '../../core/window/mend/file.js'
import { isFilled } from '../../core/window/mend/think.js'
import type { NewEntry } from '../../store/contract/entry.js'
import type { Head, UiFields } from './message.js'

/** The parts of a message; its calls wait for their results. */
export function uiParts({ body, meta, model }: NewEntry): readonly UiFields[] {
  if (body.kind !== 'message') return []
  if (body.role !== 'assistant') return body.parts.map((part) => said(part))
  const receipt = typeof meta?.receipt === 'string' ? [receiptPart(meta.receipt)] : []
  let thoughts = 0
  const parts = body.parts.map((part) => ({
    ...answered(part, model ?? ''),
    // as it was streamed
    ...(part.type === 'think' && { id: `reasoning-${++thoughts}` }),
  }))
  return [{ type: 'step-start' }, ...receipt, ...parts]
}

/** Names the receipt of the window that led to the step. */
export const receiptPart = (receipt: string): UiFields => ({ type: 'data-receipt', id: receipt, data: { receipt } })

/** What a result adds to the part of its call. */
export function resultOf({ body }: NewEntry): Head {
  if (body.kind !== 'result') return {}
  const text = body.output.map(wordsOf).join('\n')
  return body.state === 'ok' ? { state: 'output-available', output: text } : { state: 'output-error', errorText: text }
}

const wordsOf = (part: OutputPart): string => (part.type === 'text' ? part.text : fileText(part))

function said(part: Part): UiFields {
  if (part.type === 'file') return fileOf(part)
  return { type: 'text', text: part.type === 'text' ? part.text : '' }
}

function answered(part: Part, model: string): UiFields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, state: 'done' }
    case 'think':
      return { type: 'reasoning', text: part.text, state: 'done', ...proofOf(part, model) }
    case 'file':
      return fileOf(part)
    case 'call':
      return toolOf(part)
  }
}

const toolOf = ({ id, name, input }: CallPart): UiFields => ({
  type: `tool-${name}`,
  toolCallId: id,
  state: 'input-available',
  input,
})

/** Each provider of the SDK keeps its proof under its own name. */
export function proofOf({ id, sealed, signature }: ThinkPart, model: string): Head {
  if (isFilled(id))
    return {
      providerMetadata: { openai: { itemId: id, ...(isFilled(sealed) && { reasoningEncryptedContent: sealed }) } },
    }
  if (isFilled(signature) && /gemini/i.test(model))
    return { providerMetadata: { google: { thoughtSignature: signature } } }
  if (isFilled(signature)) return { providerMetadata: { anthropic: { signature } } }
  return isFilled(sealed) ? { providerMetadata: { anthropic: { redactedData: sealed } } } : {}
}

function fileOf(part: FilePart): UiFields {
  const { mediaType, name, source } = part
  const filename = name === undefined ? {} : { filename: name }
  if (source.kind === 'url') return { type: 'file', mediaType, ...filename, url: source.url }
  if (source.kind === 'data')
    return { type: 'file', mediaType, ...filename, url: `data:${mediaType};base64,${source.base64}` }
  return { type: 'text', text: fileText(part) }
}
