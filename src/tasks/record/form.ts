/** Reads the fields of what was given one by one, and gathers what is wrong with them. */
import type { Issue } from '../../core/message/issue.js'
import { type Bounds, bounded } from './bounded.js'
import type { Thread } from './input.js'
import { invalid } from './refuse.js'

/** A field that is missing or wrong reads as null. */
interface Form {
  refuse(field: string, what: string, type?: Issue['type']): null
  text(key: string, most: number): string | null
  choice<T extends string>(key: string, choices: readonly T[]): T | null
  /** A value, or the value that a string of JSON stands for; any other string is itself. */
  json(key: string): unknown
  /** A list of texts under its name, or nothing; a single text is a list of one. */
  lines(key: string): Readonly<Record<string, readonly string[]>>
  thread(): Thread | null
  tokens(): number | null
  /** Throws everything that was wrong. */
  close(): void
}

const most = { entry: 16_000, entries: 1_000 } as const

export function openForm(given: Readonly<Record<string, unknown>>, bounds: Bounds): Form {
  const issues: Issue[] = []
  const refuse: Form['refuse'] = (field, what, type = 'invalid_value') => {
    issues.push({ code: 'task.input', field, type, message: `${field} ${what}` })
    return null
  }
  const json: Form['json'] = (key) => {
    const value = given[key] ?? null
    if (typeof value !== 'string' || !/^\s*(?:[[{]|null\s*$)/.test(value)) return value
    return parsed(value, (inner) => bounded(inner, key, bounds))
  }

  return {
    refuse,
    json,
    text(key, limit) {
      const value = given[key] ?? null
      if (value === null) return null
      if (typeof value !== 'string') return refuse(key, 'must be text', 'type_error')
      if (value.length > limit) return refuse(key, `has ${value.length} characters; at most ${limit}`)
      return value.trim() === '' ? null : value
    },
    choice(key, choices) {
      const value = given[key] ?? null
      if (value === null) return null
      return choices.find((one) => one === value) ?? refuse(key, `must be one of ${choices.join(', ')}`)
    },
    lines(key) {
      const value = json(key)
      if (value === null) return {}
      const list: readonly unknown[] = Array.isArray(value) ? value : [value]
      if (list.length > most.entries) refuse(key, `has ${list.length} entries; at most ${most.entries}`)
      const strange = list.findIndex((line) => typeof line !== 'string' || line.length > most.entry)
      if (strange >= 0) refuse(`${key}[${strange}]`, `must be text of at most ${most.entry} characters`, 'type_error')
      const lines = list.filter((line): line is string => typeof line === 'string' && line.trim() !== '')
      return lines.length === 0 ? {} : { [key]: lines }
    },
    thread() {
      const value = json('thread')
      if (value === null) return null
      const { branch, max_relevance_score, relevance = max_relevance_score } = value as ThreadGiven
      if (typeof branch === 'string' && branch !== '' && relevance === undefined) return { branch }
      if (typeof relevance === 'number' && relevance >= 0 && relevance <= 1 && branch === undefined)
        return { relevance }
      return refuse(
        'thread',
        'must be { branch }, or { relevance } (max_relevance_score in specification 0) from 0 to 1',
      )
    },
    tokens() {
      const value = given.tokens ?? null
      if (value === null) return null
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 500) return value
      return refuse('tokens', 'must be a whole number, 500 or more')
    },
    close() {
      const [first, ...rest] = issues
      if (first) throw invalid([first, ...rest])
    },
  }
}

interface ThreadGiven {
  readonly branch?: unknown
  readonly relevance?: unknown
  /** Specification 0's name for it; K7: the least score, in spite of it. */
  readonly max_relevance_score?: unknown
}

/** What the text says as JSON, or the text. */
function parsed(text: string, use: (value: unknown) => unknown): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  return use(value)
}
