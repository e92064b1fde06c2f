/** What a search may ask for. */
import type { Lead, Meant, Near, NewVector, SearchQuery, Spot } from '../contract/search.js'
import { bounds, checkKeys, checkName, checkWhole } from '../shared/gate.js'
import { instantOf } from '../shared/instant.js'
import { limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'

const fields = ['limit', 'cursor', 'text', 'conversation', 'branch', 'tag', 'role', 'since', 'until', 'near']
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
  if (query.branch !== undefined && query.conversation === undefined)
    throw refusal('invalid', 'query.branch needs a conversation', { field: 'query.branch' })
  if (query.near !== undefined) checkNear(query.near)
}

function checkNear(near: Near): void {
  checkKeys(near, ['model', 'vector', 'by', 'least'], 'query.near')
  checkMeant(near, 'query.near')
  if (near.by !== 'meaning' && near.by !== 'both')
    throw refusal('invalid', 'query.near.by must be meaning or both', { field: 'query.near.by' })
}

function checkMeant({ model, vector, least }: Meant, field: string): void {
  checkName(model, `${field}.model`)
  checkVector(vector, `${field}.vector`)
  if (!Number.isFinite(least)) throw refusal('invalid', `${field}.least must be a number`, { field: `${field}.least` })
}

/** More leads than any question has. */
const leadsAtOnce = 64

export function checkLeads(leads: readonly Lead[]): void {
  if (leads.length > leadsAtOnce)
    throw refusal('too_large', `${leads.length} leads at once; at most ${leadsAtOnce}`, { field: 'leads' })
  for (const [i, lead] of leads.entries()) {
    if (typeof lead === 'string') checkSearch({ text: lead, limit: 1 })
    else checkMeant(lead, `leads[${i}]`)
  }
}

export function checkSpots(spots: readonly Spot[]): void {
  if (spots.length > bounds.batch)
    throw refusal('too_large', `${spots.length} entries at once; at most ${bounds.batch}`, { field: 'spots' })
  for (const [i, { seq }] of spots.entries()) checkWhole(seq, `spots[${i}].seq`)
}

export function checkVectors(vectors: readonly NewVector[]): void {
  if (vectors.length > bounds.batch)
    throw refusal('too_large', `${vectors.length} vectors at once; at most ${bounds.batch}`, { field: 'vectors' })
  for (const [i, { seq, vector }] of vectors.entries()) {
    checkWhole(seq, `vectors[${i}].seq`)
    checkVector(vector, `vectors[${i}].vector`)
  }
}

/** More dimensions than any model has. */
const dimensions = 16_384

function checkVector(vector: Float32Array, field: string): void {
  if (vector instanceof Float32Array && vector.length <= dimensions && vector.every(Number.isFinite)) return
  throw refusal('invalid', `${field} must be at most ${dimensions} finite numbers`, { field })
}
