/** A deep copy as JSON data: no getters, no cycles, nothing shared with the original. */

import { clean, join, note, type Raw, type Sink } from './read.js'

const deepest = 64
/** A few shared references can spell out more nodes than there is memory. */
const most = 200_000

interface Copy {
  readonly sink: Sink
  readonly above: object[]
  left: number
}

/** The value as JSON data; undefined when nothing of it is data. */
export function jsonData(value: unknown, at: string, sink: Sink): unknown {
  return copy(value, at, { sink, above: [], left: most })
}

function copy(value: unknown, at: string, state: Copy): unknown {
  switch (typeof value) {
    case 'string':
      return clean(value, at, state.sink)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : lose(`${value} is not JSON data`, at, state, null)
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : copyObject(value, at, state)
    default:
      return lose(`${typeof value} is not JSON data`, at, state)
  }
}

function copyObject(value: object, at: string, state: Copy): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return value.href
  if (value instanceof Map || value instanceof Set || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return lose('maps, sets and bytes are not JSON data', at, state)
  }
  if (state.above.includes(value)) return lose('a cycle was cut', at, state)
  if (state.above.length >= deepest) return lose(`deeper than ${deepest} levels`, at, state)
  state.above.push(value)
  const made = Array.isArray(value) ? copyList(value, at, state) : copyFields(value as Raw, at, state)
  state.above.pop()
  return made
}

function copyList(list: readonly unknown[], at: string, state: Copy): unknown[] {
  const made: unknown[] = []
  for (let i = 0; i < list.length; i++) {
    if (state.left-- <= 0) {
      lose('too large, the rest was left out', at, state)
      break
    }
    // a place in a list is kept, or the entries after it would move
    made.push(copy(list[i], `${at}[${i}]`, state) ?? null)
  }
  return made
}

function copyFields(fields: Raw, at: string, state: Copy): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) {
    if (state.left-- <= 0) {
      lose('too large, the rest was left out', at, state)
      break
    }
    const path = join(at, key)
    const value = copy(fields[key], path, state)
    if (value !== undefined) put(made, clean(key, path, state.sink), value)
  }
  return made
}

function put(made: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') made[key] = value
  else Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
}

function lose(what: string, at: string, state: Copy, instead?: null): null | undefined {
  note(state.sink, at, what)
  return instead
}
