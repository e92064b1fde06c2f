import { isBlank } from '../message/text.js'
import type { Fields, Json } from './json.js'
import type { Report } from './table/rule.js'

/** What the judges of message lists ask in the same words. */

export interface List {
  readonly values: readonly Json[]
  /** Path of the list; empty when the request is the list. */
  readonly path: string
  readonly body: Fields
}

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** A string with something to read in it. */
export const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && !isBlank(value)

export const isOptional = (value: Json | undefined): value is null | undefined => value === undefined || value === null

export const isMatch = (value: Json | undefined, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value)

/** The list under `key`; a bare array is the list itself. */
export function listOf(
  request: Json,
  key: string,
  report: Report<'request.shape' | 'messages.empty'>,
): List | undefined {
  const list = isList(request)
    ? { values: request, path: '', body: {} }
    : isFields(request) && isList(request[key])
      ? { values: request[key], path: key, body: request }
      : undefined
  if (!list) report('request.shape', key, `the request must be an object with a list \`${key}\``)
  else if (list.values.length === 0) report('messages.empty', list.path, `\`${key}\` must not be empty`)
  return list
}

export function text(value: Json | undefined, path: string, report: Report<'content.shape' | 'text.blank'>) {
  if (typeof value !== 'string') report('content.shape', path, 'text must be a string')
  else if (isBlank(value)) report('text.blank', path, 'text must not be blank')
}

/** Text or parts: reports what is neither, an empty list, and parts without a type; visits the rest. */
export function content(
  value: Json | undefined,
  path: string,
  report: Report<'content.shape' | 'content.empty' | 'text.blank'>,
  visit: (part: Fields, type: string, path: string) => void,
) {
  if (isOptional(value)) return report('content.empty', path, 'content is required')
  if (typeof value === 'string') return text(value, path, report)
  if (!isList(value)) return report('content.shape', path, 'content must be a string or a list of parts')
  if (value.length === 0) report('content.empty', path, 'the list of parts must not be empty')
  value.forEach((part, i) => {
    const at = `${path}[${i}]`
    if (isFields(part) && typeof part.type === 'string') visit(part, part.type, at)
    else report('content.shape', at, 'a part must be an object with a type')
  })
}

/** Definitions of tools: named by the provider's pattern, each name once; `undefined` needs no name. */
export function toolNames(
  tools: Json | undefined,
  path: string,
  pattern: RegExp,
  nameOf: (tool: Fields) => Json | undefined,
  report: Report<'tools.shape'>,
) {
  if (isOptional(tools)) return
  if (!isList(tools)) return report('tools.shape', path, 'tools must be a list')
  const seen = new Set<string>()
  for (const [i, tool] of tools.entries()) {
    const at = `${path}[${i}]`
    const name = isFields(tool) ? nameOf(tool) : null
    if (name === undefined) continue
    if (!isMatch(name, pattern)) report('tools.shape', at, `a tool must have a name that matches ${pattern.source}`)
    else if (seen.has(name)) report('tools.shape', at, `the tool ${name} is defined twice`)
    else seen.add(name)
  }
}

export function isJsonText(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** Something a provider can load: an address on the web or inline data. */
export const isUrl = (value: Json | undefined): boolean => isMatch(value, /^(?:https?:\/\/|data:)\S/)
