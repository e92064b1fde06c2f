/** A copy of what a stranger gave: JSON, finite, of a bounded size, and text that every store can hold. */
import { byteLength, wellFormed } from '../../core/message/text.js'
import { invalid, tooLarge } from './refuse.js'

export interface Bounds {
  readonly inputBytes: number
  readonly inputDepth: number
}

/** What a list or an object costs beside its content and its commas. */
const bracket = 2

export function bounded(value: unknown, field: string, { inputBytes, inputDepth }: Bounds): unknown {
  const path: object[] = []
  let bytes = 0

  const spend = (size: number): void => {
    bytes += size
    if (bytes > inputBytes) throw tooLarge(field, `${field} is larger than ${inputBytes} bytes`, inputBytes)
  }
  const copyText = (text: string): string => {
    // a string of n units has at least n bytes
    if (text.length > inputBytes) spend(text.length)
    spend(byteLength(text))
    const sound = wellFormed(text)
    return sound.includes('\0') ? sound.replaceAll('\0', '\ufffd') : sound
  }
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return copyText(one)
    if (typeof one === 'bigint') return String(one)
    if (typeof one === 'number') return Number.isFinite(one) ? one : null
    if (typeof one === 'boolean') return one
    if (typeof one !== 'object' || one === null) return null
    if (path.includes(one)) throw refused(field, 'contains itself')
    if (path.length >= inputDepth) throw refused(field, `is nested more than ${inputDepth} levels deep`)
    if (one instanceof Date) return Number.isNaN(one.getTime()) ? null : one.toISOString()
    path.push(one)
    spend(bracket + (Array.isArray(one) ? one.length : 0))
    const made = Array.isArray(one) ? Array.from(one, copy) : copyFields(one)
    path.pop()
    return made
  }
  const copyFields = (one: object): object => {
    const fields = Object.entries(one).filter(([, inner]) => inner !== undefined && typeof inner !== 'function')
    return Object.fromEntries(fields.map(([key, inner]) => [copyText(key), copy(inner)]))
  }

  return copy(value)
}

const refused = (field: string, what: string): Error =>
  invalid([{ code: 'task.input', field, message: `${field} ${what}` }])
