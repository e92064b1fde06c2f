/** What comes of an operation, as text that two stores can be compared by. */
import { createHash } from 'node:crypto'
import { HistoryError } from '../../src/core/message/issue.js'
import type { Store } from '../../src/store/contract/store.js'
import { canonical } from '../../src/store/shared/gate.js'
import { idOf } from './operations.js'

/** The value, with JSON's keys in their own order where that counts; or the code and what a caller reads with it. */
export async function outcome(attempt: Promise<unknown>): Promise<string> {
  try {
    const value = await attempt
    return `${canonical(bytesAsHex(value))}\n${inner(value).join('\n')}`
  } catch (error) {
    if (!HistoryError.is(error)) return `CRASH ${error instanceof Error ? error.stack : error}`
    const tells = telling.includes(error.code) ? error.issues[0]?.value : undefined
    return `${error.code} ${JSON.stringify(tells)}`
  }
}

/** The refusals whose value a caller goes on with. */
const telling = ['head_moved', 'fenced', 'busy', 'record_moved']

const bytesAsHex = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'bytes' in value && value.bytes instanceof Uint8Array
    ? { ...value, bytes: Buffer.from(value.bytes).toString('hex') }
    : (value ?? null)

/** The caller's own JSON. */
function inner(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'body' || key === 'meta' ? [`${key} ${JSON.stringify(one)}`] : inner(one),
  )
}

/** All that can be read of a run's workspaces, in the same order on every store. */
export async function everything(store: Store, prefix: string): Promise<string[]> {
  const out: string[] = []
  const look = async (what: string, attempt: Promise<unknown>): Promise<void> => {
    out.push(`${what}: ${await outcome(attempt)}`)
  }
  for (const workspace of [`${prefix}one`, `${prefix}two`]) {
    await look(
      'list',
      pages((cursor) => store.list(workspace, { limit: 2, ...cursor })),
    )
    for (const kind of ['run', 'count'])
      await look(
        'records',
        pages((cursor) => store.records(workspace, { kind, limit: 2, ...cursor })),
      )
    for (const text of ['a', 'h', 'e'])
      await look(
        'search',
        pages((cursor) => store.search(workspace, { text, limit: 3, ...cursor })),
      )
    for (const bytes of ['x', 'yy']) await look('blob', store.getBlob(workspace, sha256(bytes)))
    for (const id of ['r1', 'r2', '\u{1f600}', '\uff5e']) await look('receipt', store.getReceipt(workspace, id))
    for (const c of ['c', 'd', '\u{1f600}', '\uff5e', 'nowhere']) await conversation(store, workspace, c, look)
  }
  return out
}

async function conversation(
  store: Store,
  workspace: string,
  c: string,
  look: (what: string, attempt: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const known = await store.get(workspace, c)
  await look('get', Promise.resolve(known))
  await look('feed', store.feed(workspace, c, 0, 1_000))
  await look('roots', store.children(workspace, c, null))
  await look('branches', store.branches(workspace, c))
  await look('drafts', store.drafts(workspace, c))
  await look('events', store.events(workspace, c, 0, 1_000))
  await look(
    'receipts',
    pages((cursor) => store.receipts(workspace, c, { limit: 2, ...cursor })),
  )
  await look('verify', store.verify(workspace, c))
  if (!known) return
  for (const { name, head } of await store.branches(workspace, c)) {
    if (head !== null) await look('path', store.path(workspace, c, head))
    for (const reach of [{}, { tokens: 20 }, { entries: 2 }, { turns: 1 }, { tokens: 40, entries: 4, turns: 2 }])
      await look(`window of ${name}`, store.window(workspace, c, name, reach))
  }
  for (let n = 0; n < known.entries; n++) await look('children', store.children(workspace, c, idOf(n)))
}

async function pages<T>(
  read: (cursor: { cursor?: string }) => Promise<{ readonly items: readonly T[]; readonly cursor: string | null }>,
): Promise<T[][]> {
  const out: T[][] = []
  for (let cursor: { cursor?: string } = {}; out.length < 100; ) {
    const page = await read(cursor)
    out.push([...page.items])
    if (page.cursor === null) return out
    cursor = { cursor: page.cursor }
  }
  throw new Error('the pages do not end')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
