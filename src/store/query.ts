/** What a search may ask for. */
import type { SearchQuery } from './contract.js'
import { bounds, checkKeys } from './gate.js'
import { instantOf } from './instant.js'
import { limitOf } from './page.js'
import { refusal } from './refuse.js'

const fields = ['limit', 'cursor', 'text', 'conversation', 'role', 'since', 'until']
const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool', undefined]

export function checkSearch(query: SearchQuery): void {
  checkKeys(query, fields, 'query')
  limitOf(query.limit)
  if (typeof query.text !== 'string') throw refusal('invalid', 'query.text must be text', { field: 'query.text' })
  if (query.text.length > bounds.title)
    throw refusal('too_large', `query.text has more than ${bounds.title} characters`, { field: 'query.text' })
  if (!roles.includes(query.role)) throw refusal('invalid', 'there is no such role', { field: 'query.role' })
  for (const field of ['since', 'until'] as const)
    if (query[field] !== undefined && instantOf(query[field]) === null)
      throw refusal('invalid', `query.${field} must be a time in ISO form`, { field: `query.${field}` })
}
