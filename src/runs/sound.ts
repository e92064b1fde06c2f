/** What a model says, as every store can hold it: the halves of a character wait for each other, and what is no character is replaced. */
import { wellFormed } from '../core/message/text.js'
import type { ModelEvent } from '../models/wire/contract.js'

/** A stream may be cut inside a character: its first half is told with what follows. */
export function sounder(): (event: ModelEvent) => readonly ModelEvent[] {
  const waiting = new Map<string, string>()
  const next = (key: string, text: string): string => {
    const all = (waiting.get(key) ?? '') + text
    const half = endsInHalf(all)
    if (half) waiting.set(key, all.slice(-1))
    else waiting.delete(key)
    return storable(half ? all.slice(0, -1) : all)
  }
  return (event) => {
    switch (event.type) {
      case 'text':
      case 'think': {
        const text = next(event.type, event.text)
        return text === '' ? [] : [{ ...event, text }]
      }
      case 'call-delta': {
        const json = next(event.id, event.json)
        return json === '' ? [] : [{ ...event, id: storable(event.id), json }]
      }
      case 'finish': {
        const left = (['think', 'text'] as const).filter((type) => waiting.delete(type))
        return [...left.map((type) => ({ type, text: '\ufffd' })), event]
      }
      default:
        return [soundly(event)]
    }
  }
}

const endsInHalf = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800

/** A text that every store keeps. */
export const storable = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd')

/** Every text in it, names among them. */
function soundly<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T
  if (Array.isArray(value)) return value.map(soundly) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), soundly(one)])) as T
}
