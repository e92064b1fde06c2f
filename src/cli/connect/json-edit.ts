/** Fields of a JSON file, set and taken back; what else is in it stays. */
import type { AgentFields } from './agents.js'

type Open = Record<string, unknown>

export function withFields(text: string, fields: AgentFields): string {
  const root = read(text)
  merge(root, fields)
  return write(root)
}

/** Only what is as we set it: a value that someone changed is theirs. */
export function withoutFields(text: string, fields: AgentFields): string {
  if (text.trim() === '') return text
  const root = read(text)
  const before = JSON.stringify(root)
  prune(root, fields)
  return JSON.stringify(root) === before ? text : write(root)
}

const write = (root: Open): string => `${JSON.stringify(root, null, 2)}\n`

function read(text: string): Open {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isOpen(value)) throw new Error('no object')
  return value
}

const isOpen = (value: unknown): value is Open => typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(into: Open, fields: AgentFields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      into[name] = value
      continue
    }
    const next = into[name]
    const inner: Open = isOpen(next) ? next : {}
    into[name] = inner
    merge(inner, value)
  }
}

function prune(from: Open, fields: AgentFields): void {
  for (const [name, value] of Object.entries(fields)) {
    const inner = from[name]
    if (typeof value === 'string') {
      if (inner === value) delete from[name]
    } else if (isOpen(inner)) {
      prune(inner, value)
      if (Object.keys(inner).length === 0) delete from[name]
    }
  }
}
