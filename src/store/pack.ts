/** How a body is stored: words that stand in the column beside it are not written a second time. */
import type { Body, NewEntry } from './entry.js'

export interface Packed {
  readonly json: string
  /** Of the whole body. */
  readonly bytes: number
}

export function pack({ body, text }: Pick<NewEntry, 'body' | 'text'>): Packed {
  const whole = JSON.stringify(body)
  const bytes = Buffer.byteLength(whole)
  const part = solePart(body)
  if (part?.type !== 'text' || part.text !== text) return { json: whole, bytes }
  const parts = [{ ...part, text: undefined }]
  return { json: JSON.stringify({ ...body, [body.kind === 'result' ? 'output' : 'parts']: parts }), bytes }
}

/** A text part without its text has the text of the column. */
export function unpack(body: Body, text: string): Body {
  const part = solePart(body)
  if (part?.type === 'text' && part.text === undefined) part.text = text
  return body
}

function solePart(body: Body): { type: string; text?: string } | undefined {
  const parts = body?.kind === 'result' ? body.output : body?.kind === 'note' ? [] : body?.parts
  return parts?.length === 1 ? (parts[0] as { type: string; text?: string }) : undefined
}
