/** What an entry is found by, beside its words. */

import type { Body, Entry } from '../contract/entry.js'
import type { Hit, SearchQuery } from '../contract/search.js'
import { instantOf } from '../shared/instant.js'
import { snippetOf } from './snippet.js'
import { type Sought, searchTerms, termsSlowly } from './terms.js'

export interface Searched {
  readonly seq: number
  readonly role: Hit['role']
  /** Null when the entry's time is none. */
  readonly instant: number | null
  readonly terms: ReadonlySet<string>
}

/** Null for an entry that is never found: a note, or one without words. */
export const searchedOf = (entry: Found): Searched | null =>
  roleOf(entry.body) === null ? null : searchedBy(entry, searchTerms(entry.text))

/** Whether the index must have it, once it was taken in. */
export const isFindable = (entry: Entry): boolean => !entry.redacted && searchedOf(entry) !== null

/** What an entry is found by, with everyone else's turn in between. */
export const searchedSlowly = async (entry: Found): Promise<Searched | null> =>
  roleOf(entry.body) === null ? null : searchedBy(entry, await termsSlowly(entry.text))

type Found = Pick<Entry, 'seq' | 'body' | 'text' | 'at'>

function searchedBy({ seq, body, at }: Found, terms: ReadonlySet<string>): Searched | null {
  const role = roleOf(body)
  return role !== null && terms.size > 0 ? { seq, role, instant: instantOf(at), terms } : null
}

/** A summary is the model's own word. */
function roleOf(body: Body): Hit['role'] | null {
  switch (body.kind) {
    case 'message':
      return body.role
    case 'result':
      return 'tool'
    case 'summary':
      return 'assistant'
    case 'note':
      return null
  }
}

/** The filters of a query that are not about words. */
export type Filter = Readonly<ReturnType<typeof filterOf>>

export const filterOf = ({ conversation, role, since, until }: SearchQuery) => ({
  conversation: conversation ?? null,
  role: role ?? null,
  since: since === undefined ? null : instantOf(since),
  until: until === undefined ? null : instantOf(until),
})

export const hitOf = (
  conversation: { readonly id: string; readonly title: string },
  entry: { readonly id: string; readonly seq: number; readonly at: string; readonly text: string },
  role: Hit['role'],
  sought: readonly Sought[],
): Hit => ({
  conversation: conversation.id,
  title: conversation.title,
  entry: entry.id,
  seq: entry.seq,
  role,
  at: entry.at,
  ...snippetOf(entry.text, sought),
})
