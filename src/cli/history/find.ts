/** Finds what an argument names: a whole id, a beginning that only one has, or `@last`. */
import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/contract/entry.js'
import { all, paged } from '../../store/shared/page.js'
import type { Cli } from '../kit/desk.js'
import { misused, notFound } from '../kit/failure.js'
import { short } from '../kit/term.js'

export async function conversationNamed(desk: Cli, name: string | undefined): Promise<Conversation> {
  if (name === undefined) throw misused('an ID is needed', 'throughline list has them; @last is the newest')
  if (name === '@last') return lastConversation(desk)
  const exact = await desk.store.get(desk.workspace, name)
  if (exact) return exact
  const matches = (await all(conversations(desk))).filter(({ id }) => id.startsWith(name))
  return theOne(matches, `conversation ${name}`, ({ id, title }) => `${id}  ${short(title, 60)}`)
}

/** The one that was written to last. */
export async function lastConversation({ store, workspace }: Cli): Promise<Conversation> {
  const pages = [true, false].map((pinned) => store.list(workspace, { limit: 1, pinned, archived: false }))
  const newest = (await Promise.all(pages)).flatMap(({ items }) => items)
  const last = newest.reduce<Conversation | null>(
    (one, other) => (one !== null && one.updatedAt >= other.updatedAt ? one : other),
    null,
  )
  if (!last) throw notFound('there is no conversation yet', 'throughline chat begins one')
  return last
}

/** `4` is the fourth message that was written, `@last` the head of the branch. */
export async function findEntry({ store, workspace }: Cli, conversation: string, name: string, branch = 'main') {
  if (name === '@last') return headOf({ store, workspace }, conversation, branch)
  const exact = await store.entry(workspace, conversation, name)
  if (exact) return exact
  if (/^\d{1,15}$/.test(name) && Number(name) > 0) {
    const [numbered] = await store.feed(workspace, conversation, Number(name) - 1, 1)
    if (numbered?.seq === Number(name)) return numbered
  }
  const matches = (await all(eachEntry({ store, workspace }, conversation))).filter(({ id }) => id.startsWith(name))
  return theOne(matches, `message ${name}`, ({ id, seq, text }) => `${seq}  ${id}  ${short(text, 60)}`)
}

async function headOf({ store, workspace }: Pick<Cli, 'store' | 'workspace'>, conversation: string, branch: string) {
  const { head } = await findBranch({ store, workspace }, conversation, branch)
  const entry = head === null ? null : await store.entry(workspace, conversation, head)
  if (!entry) throw notFound(`branch ${branch} has no messages yet`)
  return entry
}

/** Before the first message there is no branch, and `main` is empty. */
export async function findBranch(
  { store, workspace }: Pick<Cli, 'store' | 'workspace'>,
  conversation: string,
  name = 'main',
): Promise<{ readonly name: string; readonly head: string | null }> {
  const all = await store.branches(workspace, conversation)
  const found = all.find((one) => one.name === name)
  if (found) return found
  if (name === 'main') return { name, head: null }
  throw notFound(`there is no branch ${name}`, `branches: ${all.map((one) => one.name).join(', ')}`)
}

export async function* conversations({ store, workspace }: Cli, query: object = {}): AsyncGenerator<Conversation> {
  yield* paged((from) => store.list(workspace, { ...query, limit: 500, ...from }))
}

export async function* eachEntry(
  { store, workspace }: Pick<Cli, 'store' | 'workspace'>,
  conversation: string,
): AsyncGenerator<Entry> {
  for (let after = 0; ; ) {
    const page = await store.feed(workspace, conversation, after, 500)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.seq
  }
}

export function theOne<T>(matches: readonly T[], what: string, told: (one: T) => string): T {
  const [first, ...rest] = matches
  if (first === undefined) throw notFound(`there is no ${what}`)
  if (rest.length === 0) return first
  const shown = matches.slice(0, 5).map((one) => `\n  ${told(one)}`)
  throw misused(`${what} could be any of ${matches.length}`, `give more of its id:${shown.join('')}`)
}
