/** A stateless client sends everything it has each time; the log takes only what is new. */
import { HistoryError } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import type { Branch } from '../store/contract/branch.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'
import { canonical } from '../store/shared/gate.js'
import { everyEntry } from './export.js'
import type { AppendRequest, AppendResult } from './history.js'
import { cutOf } from './limits.js'
import { entriesOf, isInterrupted, type Writing } from './window/entries.js'
import type { Source } from './window/window.js'

export interface Reconciled {
  readonly branch: string
  readonly head: string | null
  /** Entries that were there already. */
  readonly known: number
  readonly added: readonly Entry[]
  /** The client's history differs from every branch: a new one was begun. */
  readonly forked: boolean
}

interface Tools {
  readonly source: Source
  readonly writing: Writing
  /** Characters of a result that the log keeps. */
  readonly resultChars: number
  readonly write: (
    entries: readonly NewEntry[],
    branch: string,
    request: AppendRequest & { readonly from?: string | null },
  ) => Promise<AppendResult>
}

export interface ReconcileRequest {
  readonly branch?: string
  /** What of a branch comes after the client's history: it goes on behind it, or a branch begins before it. */
  readonly later?: 'follow' | 'fork'
  /** What becomes of a history that shares nothing with the log, as after the client's own compaction; `fork` when left out. */
  readonly strange?: 'follow' | 'fork'
}

export async function reconcile(
  tools: Tools,
  messages: readonly unknown[],
  branch: string,
  { later, strange }: ReconcileRequest = {},
): Promise<Reconciled> {
  const incoming = messages.flatMap((message, i) => entriesOf(message, tools.writing, `messages[${i}]`))
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(tools, incoming, branch, later === 'fork', strange === 'follow')
    } catch (error) {
      // someone else has written: what is known has to be found again
      if (!HistoryError.is(error) || error.code !== 'head_moved' || attempt === 8) throw error
    }
  }
}

async function once(
  tools: Tools,
  incoming: readonly NewEntry[],
  branch: string,
  exact: boolean,
  follows: boolean,
): Promise<Reconciled> {
  const { source, writing, write, resultChars } = tools
  const { store, workspace, conversation } = source
  const heard = incoming.map((entry) => heardOf(cutOf(entry, writing, resultChars)))
  const branches = await store.branches(workspace, conversation)
  const head = branches.find(({ name }) => name === branch)?.head ?? null
  const path = head === null ? [] : await store.path(workspace, conversation, head)
  const found = along(path, heard, branch, exact) ?? (await anywhere(source, branches, heard, branch))
  const isStrange = follows && found.branch === null && found.used === 0 && head !== null
  const place = isStrange ? { ...found, branch, at: head } : found
  const rest = incoming.filter((_, i) => i >= place.used && !place.closed.has(heard[i]?.callId ?? ''))
  if (place.branch !== null && rest.length === 0)
    return { branch: place.branch, head: place.at, known: place.shared, added: [], forked: false }
  if (place.branch !== null) {
    const done = await write(rest, place.branch, { expect: place.at })
    return { branch: place.branch, head: done.head, known: place.shared, added: done.entries, forked: false }
  }
  const name = `${branch}-${writing.env.id()}`
  if (rest.length === 0) {
    await store.setBranch(workspace, conversation, { name, head: place.at, expect: null, at: writing.env.now() })
    return { branch: name, head: place.at, known: place.shared, added: [], forked: true }
  }
  const done = await write(rest, name, { from: place.at, expect: null })
  return { branch: name, head: done.head, known: place.shared, added: done.entries, forked: true }
}

interface Place {
  /** The branch to go on with; null when a new one begins at `at`. */
  readonly branch: string | null
  readonly at: string | null
  readonly shared: number
  /** Incoming entries that need not be written. */
  readonly used: number
  /** Calls that the log has closed by itself; what the client says of them is not news. */
  readonly closed: ReadonlySet<string>
}

/** The branch that was asked for, if the client has all of its newest part and perhaps more, or only some of its beginning. */
function along(path: readonly Entry[], heard: readonly Heard[], branch: string, exact: boolean): Place | null {
  const closed = closedOn(path)
  const said = path.filter(isSaid)
  const news = heard.filter(({ callId }) => !closed.has(callId ?? ''))
  const at = path.at(-1)?.id ?? null
  for (const start of [0, ...said.keys()]) {
    if (start > 0 && news.length === 0) break
    const shared = sharedFrom(said, news, start)
    const isWhole = start + shared === said.length
    // a client that cuts its history has the end of the branch; one that is behind has its beginning
    if (!isWhole && (exact || !(start === 0 && shared === news.length))) continue
    if (start > 0 && shared === 0) continue
    return { branch, at, shared, used: usedOf(heard, news, shared), closed }
  }
  return null
}

/** The place in the whole tree that shares most with what was heard. */
async function anywhere(
  source: Source,
  branches: readonly Branch[],
  heard: readonly Heard[],
  asked: string,
): Promise<Place> {
  const entries = await everyEntry(source)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  let best: { readonly at: string | null; readonly count: number } = { at: null, count: 0 }
  /** How many incoming entries are used up by the path to each entry; -1 where it says something else. */
  const used = new Map<string | null, number>([[null, 0]])
  for (const entry of entries) {
    const before = used.get(entry.parent) ?? -1
    const count = before < 0 ? -1 : usedBy(entry, heard, before)
    used.set(entry.id, count)
    if (count > best.count) best = { at: entry.id, count }
  }
  const ends = branches
    .filter(({ head }) => head !== null && used.get(head) === best.count && best.count > 0)
    .sort((one, other) => Number(other.name === asked) - Number(one.name === asked))
  const found = ends[0]
  const at = found ? found.head : best.at
  const path = pathTo(at, byId)
  const closed = closedOn(path)
  return { branch: found?.name ?? null, at, shared: path.filter(isSaid).length, used: best.count, closed }
}

/** Notes and results of our own use up nothing; a client that got such a result may repeat it. */
function usedBy(entry: Entry, heard: readonly Heard[], before: number): number {
  const next = heard[before]
  if (isInterrupted(entry) && entry.body.kind === 'result' && next?.callId === entry.body.callId) return before + 1
  if (!isSaid(entry)) return before
  return next && isSame(entry, next) ? before + 1 : -1
}

function pathTo(at: string | null, byId: ReadonlyMap<string, Entry>): Entry[] {
  const path: Entry[] = []
  for (let entry = byId.get(at ?? ''); entry; entry = byId.get(entry.parent ?? '')) path.unshift(entry)
  return path
}

/** A summary is ours: no client has ever said it. */
const isSaid = (entry: Entry): boolean =>
  entry.body.kind !== 'note' && entry.body.kind !== 'summary' && !isInterrupted(entry)

const closedOn = (path: readonly Entry[]): Set<string> =>
  new Set(path.flatMap((entry) => (entry.body.kind === 'result' && isInterrupted(entry) ? [entry.body.callId] : [])))

function sharedFrom(said: readonly Entry[], heard: readonly Heard[], start: number): number {
  let shared = 0
  while (start + shared < said.length && shared < heard.length) {
    if (!isSame(said[start + shared] as Entry, heard[shared] as Heard)) break
    shared++
  }
  return shared
}

/** The place in the whole list behind the first `shared` of the news. */
function usedOf(heard: readonly Heard[], news: readonly Heard[], shared: number): number {
  const next = news[shared]
  return next ? heard.indexOf(next) : heard.length
}

interface Heard {
  readonly kind: string
  readonly callId: string | null
  readonly words: string
}

const heardOf = ({ body }: Pick<NewEntry, 'body'>): Heard => ({
  kind: kindOf(body),
  callId: body.kind === 'result' ? body.callId : null,
  words: wordsOf(body),
})

/** Words that were removed are not compared: a client that still has them brings none back. */
const isSame = ({ body, redacted }: Entry, heard: Heard): boolean =>
  redacted
    ? kindOf(body) === heard.kind && (body.kind !== 'result' || body.callId === heard.callId)
    : wordsOf(body) === heard.words

const kindOf = (body: NewEntry['body']): string => (body.kind === 'message' ? body.role : body.kind)

/** What an entry says, without who counted or dated it, or stopped it, or what was thought on the way. */
const wordsOf = (body: NewEntry['body']): string =>
  canonical(body.kind === 'message' ? { role: body.role, ...spokenIn(body.parts) } : body)

/** Not every dialect tells where a text ends and the next begins, or whether a call came before or after it. */
const spokenIn = (parts: readonly Part[]) => ({
  text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
  rest: parts.filter(({ type }) => type !== 'text' && type !== 'think'),
})
