/** A stateless client sends everything it has each time; the log takes only what is new. */
import type { Entry, NewEntry } from '../store/entry.js'
import { canonical } from '../store/gate.js'
import { entriesOf, type Writing } from './entries.js'
import type { AppendRequest, AppendResult } from './history.js'
import type { Source } from './window.js'

export interface Reconciled {
  readonly branch: string
  readonly head: string | null
  /** Entries that were there already. */
  readonly known: number
  readonly added: readonly Entry[]
  /** The client's history differs from the branch: a new branch was begun. */
  readonly forked: boolean
}

interface Tools {
  readonly source: Source
  readonly writing: Writing
  readonly head: (branch: string) => Promise<string | null>
  readonly write: (
    entries: readonly NewEntry[],
    branch: string,
    request: AppendRequest & { readonly from?: string | null },
  ) => Promise<AppendResult>
}

export async function reconcile(
  { source, writing, head, write }: Tools,
  messages: readonly unknown[],
  branch: string,
): Promise<Reconciled> {
  const { store, workspace, conversation } = source
  const incoming = messages.flatMap((message, i) => entriesOf(message, writing, `messages[${i}]`))
  const at = await head(branch)
  const path =
    at === null ? [] : (await store.path(workspace, conversation, at)).filter(({ body }) => body.kind !== 'note')
  const { start, shared } = align(path, incoming)
  const rest = incoming.slice(shared)
  const last = path[start + shared - 1]
  const fresh = start + shared === path.length
  if (rest.length === 0) return { branch, head: at, known: shared, added: [], forked: false }
  if (fresh) {
    const done = await write(rest, branch, { expect: at })
    return { branch, head: done.head, known: shared, added: done.entries, forked: false }
  }
  const name = `${branch}-${writing.env.id()}`
  const done = await write(rest, name, { from: last?.id ?? null, expect: null })
  return { branch: name, head: done.head, known: shared, added: done.entries, forked: true }
}

/** Where the incoming entries lie on the path: at its beginning, or, from a client that cuts its history, further on. */
function align(
  path: readonly Entry[],
  incoming: readonly NewEntry[],
): { readonly start: number; readonly shared: number } {
  const said = path.map(keyOf)
  const heard = incoming.map(keyOf)
  const whole = sharedFrom(said, heard, 0)
  if (whole > 0 || said.length === 0 || heard.length === 0) return { start: 0, shared: whole }
  for (let start = said.length - 1; start > 0; start--) {
    if (said[start] !== heard[0]) continue
    const shared = sharedFrom(said, heard, start)
    if (start + shared === said.length) return { start, shared }
  }
  return { start: 0, shared: 0 }
}

function sharedFrom(said: readonly string[], heard: readonly string[], start: number): number {
  let shared = 0
  while (shared < heard.length && start + shared < said.length && said[start + shared] === heard[shared]) shared++
  return shared
}

/** What an entry says, without who counted or dated it. */
const keyOf = ({ body }: Pick<NewEntry, 'body'>): string => canonical(body)
