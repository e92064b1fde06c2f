/** Well-formedness at speed, and through whole JSON values. */
import { isWellFormed, wellFormed } from '../../message/text.js'

/** Deeper values are sent as text: providers' parsers give up at about a hundred levels of the whole request. */
const maxDepth = 60

/** The same value when it is JSON with well-formed strings and of sane depth, otherwise the nearest value that is. */
export function sound(value: unknown): unknown {
  if (isSoundValue(value, 0)) return value
  if (typeof value === 'string') return wellFormed(value)
  const json = jsonOf(value)
  if (json === undefined) return null
  const copy: unknown = JSON.parse(json, (_, inner: unknown) =>
    typeof inner === 'object' ? withSoundKeys(inner) : inner,
  )
  return isSoundValue(copy, 0) ? copy : json
}

function isSoundValue(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return isWellFormed(value)
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    case 'object':
      return value === null || (depth < maxDepth && isSoundObject(value, depth))
    default:
      return false
  }
}

function isSoundObject(value: object, depth: number): boolean {
  if (Array.isArray(value)) return value.every((inner) => isSoundValue(inner, depth + 1)) && !value.includes(undefined)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) {
    if (!isWellFormed(key) || !isSoundValue((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

/** JSON text of anything, with every string in it well formed. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'string') return wellFormed(inner)
      return typeof inner === 'bigint' ? String(inner) : inner
    })
  } catch {
    // what contains itself or throws when read has no JSON form
    return undefined
  }
}

function withSoundKeys(value: unknown): unknown {
  if (value === null || Array.isArray(value) || Object.keys(value as object).every(isWellFormed)) return value
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [wellFormed(key), inner]))
}
