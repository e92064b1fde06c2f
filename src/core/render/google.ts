/** Google generateContent. */
import type { CallPart, FilePart, Item, Part } from '../message/item.js'
import { isBlank } from '../message/text.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { isPlainObject } from '../window/mend/plain.js'
import { stepsOf } from '../window/mend/steps.js'
import { isFilled } from '../window/mend/think.js'
import { type Tools, toolsOf } from './request.js'
import { isError, resultText } from './result.js'

export interface GooglePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly fileData?: { readonly mimeType: string; readonly fileUri: string }
  readonly functionCall?: { readonly name: string; readonly args: Record<string, unknown> }
  readonly functionResponse?: { readonly name: string; readonly response: Record<string, unknown> }
}

/** A turn of the Gemini API. */
export interface GoogleContent {
  readonly role: 'user' | 'model'
  readonly parts: GooglePart[]
}

/** The body of `generateContent`. For `@google/genai`: `const { contents, ...config } = rendered`. */
export interface GoogleRequest<Tool = unknown> extends Tools<Tool> {
  readonly systemInstruction?: { readonly parts: { readonly text: string }[] }
  readonly contents: GoogleContent[]
}

export function writeGoogle(mended: Mended, window: Window): GoogleRequest {
  const contents: GoogleContent[] = []
  const say = (role: 'user' | 'model', parts: readonly GooglePart[]) => {
    const last = contents.at(-1)
    if (last?.role !== role) contents.push({ role, parts: [...parts] })
    else for (const part of parts) last.parts.push(part)
  }
  for (const item of mended.items) {
    if (item.role === 'user') say('user', item.parts.map(write))
    else writeSteps(item, say)
  }
  const parts = mended.system.map((text) => ({ text }))
  return { ...(parts.length > 0 && { systemInstruction: { parts } }), contents, ...toolsOf(window) }
}

function writeSteps(item: Item, say: (role: 'user' | 'model', parts: readonly GooglePart[]) => void): void {
  for (const { said, calls } of stepsOf(item)) {
    say('model', signed([...said, ...calls]))
    if (calls.length > 0) say('user', calls.map(response))
  }
}

/** A signature without a thought of its own stands on the part that the thought led to. */
function signed(parts: readonly Part[]): readonly GooglePart[] {
  const out: GooglePart[] = []
  let signature: string | undefined
  for (const part of parts) {
    if (part.type === 'think' && isBlank(part.text)) {
      if (signature) out.push({ text: '', thoughtSignature: signature })
      signature = isFilled(part.signature) ? part.signature : undefined
      continue
    }
    const own = part.type === 'think'
    out.push(signature && !own ? { ...write(part), thoughtSignature: signature } : write(part))
    if (!own) signature = undefined
  }
  return out
}

function write(part: Part): GooglePart {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'think':
      return { text: part.text, thought: true, ...(isFilled(part.signature) && { thoughtSignature: part.signature }) }
    case 'file':
      return file(part)
    case 'call':
      return { functionCall: { name: part.name, args: argsOf(part.input) } }
  }
}

/** Mend has made every input an object. */
const argsOf = (input: unknown): Record<string, unknown> => (isPlainObject(input) ? input : { value: input })

const response = (call: CallPart): GooglePart => ({
  functionResponse: { name: call.name, response: { [isError(call) ? 'error' : 'output']: resultText(call) } },
})

function file(part: FilePart): GooglePart {
  const mimeType = mediaTypeOf(part)
  const data = base64Of(part)
  if (data !== undefined) return { inlineData: { mimeType, data } }
  return part.source.kind === 'url' ? { fileData: { mimeType, fileUri: part.source.url } } : { text: fileText(part) }
}
