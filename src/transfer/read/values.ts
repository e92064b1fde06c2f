/**
 * The values of a file, one at a time, however large it is: the items of a JSON array, one value a line, or one text.
 * What is broken is told with its place, and what follows it is read where that is possible.
 */
import { wellFormed } from '../../core/message/text.js'
import type { FileValue } from '../kit/contract.js'

/** Characters of one value; more is not a conversation that a machine could hold. */
const longestValue = 256 * 1024 * 1024
const longestText = 32 * 1024 * 1024

export async function* valuesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileValue> {
  const texts = textsOf(chunks)
  let head = ''
  for (;;) {
    const next = await texts.next()
    if (next.done) break
    head += next.value
    if (head.trimStart() !== '') break
  }
  const first = head.trimStart()[0]
  const all = withHead(head, texts)
  if (first === '[') yield* itemsOf(all)
  else if (first === '{') yield* objectsOf(all)
  else if (first !== undefined) yield* textOf(all)
}

async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const text = decoder.decode()
  if (text !== '') yield text
}

async function* withHead(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (head !== '') yield head
  yield* rest
}

async function* textOf(texts: AsyncIterable<string>): AsyncGenerator<FileValue> {
  let text = ''
  for await (const piece of texts) {
    text += piece
    if (text.includes('\0')) return yield fault('neither JSON nor text', 'the file')
    if (text.length > longestText) return yield fault('too long for a text', 'the file')
  }
  yield { type: 'text', text }
}

const [quote, backslash, open, close, bracket, unbracket, comma] = [34, 92, 123, 125, 91, 93, 44]

/** The items of the array that the file is. Strings and brackets are followed; each item is parsed by itself. */
async function* itemsOf(texts: AsyncIterable<string>): AsyncGenerator<FileValue> {
  let [depth, count, inString, escaped, ended] = [0, 0, false, false, false]
  let held = ''
  for await (const text of texts) {
    let from = depth === 0 ? text.length : 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (inString) {
        if (escaped) escaped = false
        else if (code === backslash) escaped = true
        else if (code === quote) inString = false
        continue
      }
      if (code === quote) inString = true
      else if (code === open || code === bracket) {
        depth++
        if (depth === 1) from = i + 1
      } else if (code === close || code === unbracket) {
        depth--
        if (depth > 0) continue
        ended = true
        const last = held + text.slice(from, i)
        if (last.trim() !== '') yield parsed(last, `item ${++count}`)
        return
      } else if (code === comma && depth === 1) {
        yield parsed(held + text.slice(from, i), `item ${++count}`)
        held = ''
        from = i + 1
      }
    }
    held += text.slice(from)
    if (held.length > longestValue) return yield fault('longer than a conversation can be', `item ${count + 1}`)
  }
  if (!ended) yield fault('the file ends in the middle', `item ${count + 1}`)
}

/** One value a line when the first line is a whole value; otherwise the file is one value. */
async function* objectsOf(texts: AsyncIterable<string>): AsyncGenerator<FileValue> {
  let [held, line, isLines] = ['', 0, false]
  for await (const text of texts) {
    let from = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      if (!isLines && line > 0) break
      const found = held + text.slice(from, at)
      line++
      if (!isLines) {
        // a line that closes what it opens is a value of its own, even a broken one
        if (tryParse(found) === undefined && !/.\}\s*$/.test(found)) break
        isLines = true
      }
      if (found.trim() !== '') yield parsed(found, `line ${line}`)
      held = ''
      from = at + 1
    }
    held += text.slice(from)
    if (held.length > longestValue) return yield fault('longer than a conversation can be', `line ${line + 1}`)
  }
  if (held.trim() === '') return
  if (!isLines) return yield parsed(held, 'the file')
  const last = tryParse(held)
  yield last === undefined
    ? fault('the last line is not finished', `line ${line + 1}`)
    : parsed(held, `line ${line + 1}`)
}

const fault = (reason: string, place: string): FileValue => ({ type: 'fault', reason, place })

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** No store keeps NUL or half a character. */
function parsed(text: string, place: string): FileValue {
  try {
    const value = /\\u0000|\\u[dD][89a-fA-F]/.test(text) ? JSON.parse(text, cleaned) : JSON.parse(text)
    return { type: 'json', value: value as unknown, place }
  } catch {
    return fault(place === 'the file' ? 'the file is not whole JSON' : 'not JSON', place)
  }
}

const cleaned = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? wellFormed(value.replaceAll('\0', '\ufffd')) : value
