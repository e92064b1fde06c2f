/** How an entry takes its place behind another. */
import { defined } from '../../core/message/defined.js'
import type { Part } from '../../core/message/item.js'
import type { Body, Entry, NewEntry } from '../contract/entry.js'
import { bounds, chainHash, contentHash } from './gate.js'
import { refusal } from './refuse.js'

/** The part of an entry that the next one builds on. */
export type Link = Pick<Entry, 'id' | 'depth' | 'total' | 'turns' | 'opener' | 'summary' | 'hash'>

export function link(entry: NewEntry, parent: Link | null, seq: number, content = contentHash(entry)): Entry {
  const total = (parent?.total ?? 0) + entry.tokens
  if (!Number.isSafeInteger(total))
    throw refusal('too_large', 'the tokens of this path can no longer be counted', { field: 'tokens', value: total })
  const { turns, opener, summary } = marks(entry, parent)
  return {
    ...entry,
    seq,
    parent: parent?.id ?? null,
    depth: parent ? parent.depth + 1 : 0,
    total,
    turns,
    opener,
    summary,
    contentHash: content,
    hash: chainHash(content, parent?.hash ?? null),
    redacted: false,
  }
}

/** The entry as its writer wrote it. */
export const unlinked = ({ id, body, text, tokens, at, author, model, meta }: Entry): NewEntry => ({
  ...{ id, body, text, tokens, at },
  ...defined({ author, model, meta }),
})

/** What an entry knows of the path that ends with it. */
export function marks(
  { id, body }: Pick<Entry, 'id' | 'body'>,
  parent: Pick<Link, 'turns' | 'opener' | 'summary'> | null,
): Pick<Link, 'turns' | 'opener' | 'summary'> {
  const asks = body.kind === 'message' && body.role === 'user'
  return {
    turns: (parent?.turns ?? 0) + (asks ? 1 : 0),
    opener: parent?.opener ?? (asks ? id : null),
    summary: body.kind === 'summary' ? id : (parent?.summary ?? null),
  }
}

/** The ids of the calls that an entry makes. */
export function callsOf(body: Body): readonly string[] {
  if (body.kind !== 'message' || body.role !== 'assistant') return []
  return body.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
}

/** The blobs that an entry names, with the type it says they have: the whole of a text that was cut, the files it shows. */
export function namedBy({ body, meta }: Pick<NewEntry, 'body' | 'meta'>): ReadonlyMap<string, string> {
  const parts = body.kind === 'result' ? body.output : body.kind === 'note' ? [] : body.parts
  const named = new Map(typeof meta?.blob === 'string' ? [[meta.blob, 'text/plain; charset=utf-8']] : [])
  for (const { source, ...part } of parts.filter((one) => one.type === 'file'))
    if (source.kind === 'ref') named.set(source.id, part.mediaType)
  return named
}

export const blobsOf = (entry: Pick<NewEntry, 'body' | 'meta'>): readonly string[] => [...namedBy(entry).keys()]

/** The branch of a draft whose own branch went elsewhere meanwhile. */
export function asideOf({ branch, id }: { readonly branch: string; readonly id: string }): string {
  const name = `${branch}-${id}`
  return name.length <= bounds.name ? name : id
}

/** For the nearest entry that has to do with a call: as much of it as matters to a result. */
export function standIn(callId: string, isAnswered: boolean): Pick<Entry, 'body'> {
  if (isAnswered) return { body: { kind: 'result', callId, state: 'ok', output: [] } }
  const call = { type: 'call', id: callId, name: '', input: null, outcome: { state: 'pending' } } as const
  return { body: { kind: 'message', role: 'assistant', parts: [call], status: 'complete' } }
}

/** A result must answer an open call of its own path: `newestFirst` are the entries it would follow. */
export function checkAnswer(body: Body, newestFirst: Iterable<Pick<Entry, 'body'>>): void {
  if (body.kind !== 'result') return
  for (const { body: earlier } of newestFirst) {
    if (earlier.kind === 'result' && earlier.callId === body.callId) {
      throw refusal('already_answered', 'this call has its result', { field: 'callId', value: body.callId })
    }
    if (callsOf(earlier).includes(body.callId)) return
  }
  throw refusal('unknown_call', 'no call on this path has this id', { field: 'callId', value: body.callId })
}

/** What is left of an entry whose words were removed: who called what stays, so that results keep their calls. */
export function bare(body: Body): Body {
  switch (body.kind) {
    case 'message':
      return { ...body, parts: body.parts.flatMap(bareCall) }
    case 'result':
      return { ...body, output: [] }
    case 'summary':
      return { ...body, parts: [] }
    case 'note':
      return { ...body, data: null }
  }
}

const bareCall = (part: Part): Part[] =>
  part.type === 'call' ? [{ type: 'call', id: part.id, name: part.name, input: {}, outcome: { state: 'pending' } }] : []
