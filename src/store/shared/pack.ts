/** How a body is stored: words that stand in the column beside it are not written a second time. */

import type { Body, NewEntry } from '../contract/entry.js'
import { byteLength } from './runtime.js'

export interface PackedEntry {
  readonly json: string
  /** Of the whole body. */
  readonly bytes: number
}

export function packEntry(entry: Pick<NewEntry, 'body' | 'text'>): PackedEntry {
  const whole = JSON.stringify(entry.body)
  return { json: wordless(entry, whole), bytes: byteLength(whole) }
}

/** The JSON of a body, without the words that stand beside it. */
export function wordless({ body, text }: Pick<NewEntry, 'body' | 'text'>, json: string): string {
  const part = solePart(body)
  if (part?.type !== 'text' || part.text !== text) return json
  const bare = [{ ...part, text: undefined }]
  return JSON.stringify(body.kind === 'result' ? { ...body, output: bare } : { ...body, parts: bare })
}

/** A text part without its text has the text of the column. */
export function unpackBody(body: Body, text: string): Body {
  const part = solePart(body)
  if (part?.type === 'text' && part.text === undefined) part.text = text
  return body
}

function solePart(body: Body): { type: string; text?: string } | undefined {
  const parts = body?.kind === 'result' ? body.output : body?.kind === 'note' ? [] : body?.parts
  return parts?.length === 1 ? (parts[0] as { type: string; text?: string }) : undefined
}
