import { isWellFormed } from '../message/text.js'
import type { jsonRules } from './json-rules.js'
import type { NameOf, Report } from './table/rule.js'

export type Json = null | boolean | number | string | readonly Json[] | Fields

export interface Fields {
  readonly [key: string]: Json
}

export const maxDepth = 100
export const maxValues = 1_000_000

/** Reads the request once into plain data, so that no judge meets a getter, a proxy or a cycle. */
export function readJson(request: unknown, report: Report<NameOf<typeof jsonRules>>): Json | undefined {
  const path: (string | number)[] = []
  const above = new Set<object>()
  let values = 0

  function read(value: unknown): Json | undefined {
    if (++values > maxValues) return halt('request.large', `more than ${maxValues} values`)
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return string(value)
    if (typeof value === 'number') return Number.isFinite(value) ? value : refuse(`${value} is not JSON`)
    if (typeof value !== 'object') return refuse(`${typeof value} is not JSON`)
    if (above.has(value)) return halt('request.cyclic', 'the value contains itself')
    if (above.size >= maxDepth) return halt('request.deep', `more than ${maxDepth} levels`)
    above.add(value)
    const copy = Array.isArray(value) ? array(value) : object(value)
    above.delete(value)
    return copy
  }

  function array(value: readonly unknown[]): Json {
    const copy: Json[] = []
    for (let i = 0; i < value.length; i++) {
      if (!(i in value)) {
        refuse(`the array has a hole at ${i}`)
        break
      }
      path.push(i)
      copy.push(read(value[i]) ?? null)
      path.pop()
    }
    return copy
  }

  function object(value: object): Json | undefined {
    const prototype = Object.getPrototypeOf(value)
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return refuse('a class instance is not JSON')
    const copy: Record<string, Json> = Object.create(null)
    for (const key of Object.keys(value)) {
      path.push(key)
      if (isMalformed(key)) report('string.malformed', pathOf(path), 'the key has a lone surrogate')
      const field = read((value as Record<string, unknown>)[key])
      if (field !== undefined) copy[key] = field
      path.pop()
    }
    return copy
  }

  function string(value: string): string {
    if (isMalformed(value)) report('string.malformed', pathOf(path), 'the string has a lone surrogate')
    return value
  }

  function refuse(message: string): undefined {
    report('request.value', pathOf(path), message)
  }

  function halt(rule: 'request.large' | 'request.cyclic' | 'request.deep', message: string): never {
    report(rule, pathOf(path), message)
    throw halted
  }

  try {
    return read(request) ?? null
  } catch (error) {
    if (error !== halted) report('request.unreadable', pathOf(path), 'reading the value threw an error')
    return undefined
  }
}

const halted = Symbol('halted')

// most strings have no surrogate at all, and one pass over them is enough
const isMalformed = (value: string): boolean => /[\ud800-\udfff]/.test(value) && !isWellFormed(value)

function pathOf(keys: readonly (string | number)[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (/^[a-zA-Z_$][\w$]*$/.test(key)) path += path === '' ? key : `.${key}`
    else path += `[${JSON.stringify(key)}]`
  }
  return path
}
