/**
 * A request that its provider finds too long, made shorter in its own words: the results of the oldest tools give way first,
 * then the oldest steps as a whole. What the model has just asked for, and all that people said, stays as it is.
 */

import { isRecord, listOf } from '../../core/message/fields.js'
import type { WireName } from '../../models/wire/wires.js'
import type { Asked } from '../kit/door.js'

type Fields = Readonly<Record<string, unknown>>
type Kind = 'official' | 'user' | 'assistant' | 'result'

/** How a dialect writes its history. */
interface Script {
  readonly field: string
  readonly kind: (message: Fields) => Kind
  /** The message with the texts of its results changed. */
  readonly map: (message: Fields, change: (text: string) => string) => Fields
  readonly note: (text: string) => Fields
}

export interface Shortened {
  readonly asked: Asked
  /** Messages that were changed or left out. */
  readonly changed: number
}

/** Characters of a result that stay, to know it by. */
const heel = 160
/** A shorter one is not worth a mark. */
const least = 600

/** Null where so much cannot be saved. `excess`: characters that have to go. */
export function shorten(wire: WireName, asked: Asked, excess: number): Shortened | null {
  const script = scripts[wire]
  const messages = script && listOf(asked[script.field]).filter(isRecord)
  if (!script || !messages || messages.length === 0) return null
  const newest = newestStep(messages.map(script.kind))
  const out: (Fields | null)[] = [...messages]
  let [saved, changed] = [0, 0]
  for (let i = 0; i < newest && saved < excess; i++) {
    if (script.kind(messages[i] as Fields) !== 'result') continue
    let gained = 0
    out[i] = script.map(messages[i] as Fields, (text) => {
      if (text.length < least) return text
      const short = folded(text)
      // as they stand in the request, with what JSON escapes
      gained += JSON.stringify(text).length - JSON.stringify(short).length
      return short
    })
    if (gained > 0) changed++
    saved += gained
  }
  const steps = saved < excess ? stepsOf(messages.map(script.kind), newest) : []
  let gone = 0
  for (const [from, to] of steps) {
    if (saved >= excess) break
    for (let i = from; i < to; i++) {
      saved += JSON.stringify(out[i]).length
      out[i] = null
    }
    changed += to - from
    gone++
  }
  if (saved < excess) return null
  const first = out.indexOf(null)
  if (first >= 0)
    out[first] = script.note(`[${gone} earlier steps were left out: the request was longer than the model takes]`)
  return { asked: { ...asked, [script.field]: out.filter((one) => one !== null) }, changed }
}

const folded = (text: string): string =>
  `${text.slice(0, heel)}\n[${text.length - heel} more characters of this old result were left out: the request was longer than the model takes]`

/** Where the last step begins: the newest calls, with their results. */
function newestStep(kinds: readonly Kind[]): number {
  const result = kinds.lastIndexOf('result')
  if (result < 0) return kinds.length
  let at = result
  while (at > 0 && kinds[at - 1] === 'result') at--
  return at
}

/** From a call to the next: whole pairs, so that no result is left without its call. */
function stepsOf(kinds: readonly Kind[], newest: number): (readonly [from: number, to: number])[] {
  const steps: (readonly [number, number])[] = []
  for (let from = 0; from < newest; from++) {
    if (kinds[from] !== 'assistant') continue
    let to = from
    while (kinds[to] === 'assistant') to++
    while (kinds[to] === 'result') to++
    if (to <= newest && kinds[to - 1] === 'result') steps.push([from, to])
    from = to - 1
  }
  return steps
}

const byRole = ({ role }: Fields): Kind =>
  role === 'assistant' || role === 'model'
    ? 'assistant'
    : role === 'user'
      ? 'user'
      : role === 'tool'
        ? 'result'
        : 'official'

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => (isRecord(part) ? (typeof part.text === 'string' ? part.text : JSON.stringify(part)) : ''))
        .join('\n')

/** A text that stays the same stays in its own form. */
function changedText<T>(content: T, change: (text: string) => string): T | string {
  const text = textOf(content)
  const next = change(text)
  return next === text ? content : next
}

const streamed = (output: Fields, change: (text: string) => string): Fields => ({
  ...output,
  ...(typeof output.stdout === 'string' && { stdout: change(output.stdout) }),
  ...(typeof output.stderr === 'string' && { stderr: change(output.stderr) }),
})

const scripts: Readonly<Partial<Record<WireName, Script>>> = {
  anthropic: {
    field: 'messages',
    kind: (message) =>
      listOf(message.content).some((block) => isRecord(block) && block.type === 'tool_result')
        ? 'result'
        : byRole(message),
    map: (message, change) => ({
      ...message,
      content: listOf(message.content).map((block) =>
        isRecord(block) && block.type === 'tool_result'
          ? { ...block, content: changedText(block.content, change) }
          : block,
      ),
    }),
    note: (text) => ({ role: 'user', content: text }),
  },
  'openai-chat': {
    field: 'messages',
    kind: byRole,
    map: (message, change) => ({ ...message, content: changedText(message.content, change) }),
    note: (text) => ({ role: 'user', content: text }),
  },
  'openai-responses': {
    field: 'input',
    kind: (item) => {
      const type = String(item.type ?? 'message')
      if (type === 'message') return byRole(item)
      return type.endsWith('_output') ? 'result' : 'assistant'
    },
    map: (item, change) => {
      // a shell's output is a list, a computer's is a picture: each keeps its form
      if (item.output === undefined || item.type === 'computer_call_output') return item
      if (item.type !== 'shell_call_output') return { ...item, output: changedText(item.output, change) }
      return { ...item, output: listOf(item.output).map((one) => (isRecord(one) ? streamed(one, change) : one)) }
    },
    note: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  },
  google: {
    field: 'contents',
    kind: (content) =>
      listOf(content.parts).some((part) => isRecord(part) && isRecord(part.functionResponse))
        ? 'result'
        : byRole({ role: 'user', ...content }),
    map: (content, change) => ({
      ...content,
      parts: listOf(content.parts).map((part) => {
        if (!isRecord(part) || !isRecord(part.functionResponse)) return part
        const { response } = part.functionResponse
        const text =
          typeof response === 'object' && response !== null ? Object.values(response).map(textIn).join('\n') : ''
        const next = change(text)
        return next === text
          ? part
          : { ...part, functionResponse: { ...part.functionResponse, response: { output: next } } }
      }),
    }),
    note: (text) => ({ role: 'user', parts: [{ text }] }),
  },
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
