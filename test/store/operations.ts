/** Random operations on a store, and what comes of them as text that two stores can be compared by. */
import fc from 'fast-check'
import { HistoryError } from '../../src/core/issue.js'
import type { Store } from '../../src/store/contract.js'
import type { Body, NewEntry } from '../../src/store/entry.js'
import { canonical } from '../../src/store/gate.js'

/** Runs on one store; `prefix` keeps the workspaces of two runs apart. */
export type Operation = (store: Store, prefix: string) => Promise<unknown>

export interface Step {
  readonly name: string
  readonly run: Operation
  toString(): string
}

const at = fc.integer({ min: 0, max: 5 }).map((n) => `2026-01-0${n + 1}T00:00:00.000Z`)
const half = fc.constantFrom('\ud83d', 'a\ude00', 'x\0y')
const words = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'hello', 'é', 'e\u0301', '\u{1f600}', '\uffff', "'; --", '\u202e') },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')) },
  { weight: 1, arbitrary: half },
)
const workspace = fc.oneof({ weight: 9, arbitrary: fc.constant('one') }, { weight: 1, arbitrary: fc.constant('two') })
const conversation = fc.oneof(
  { weight: 8, arbitrary: fc.constant('c') },
  { weight: 3, arbitrary: fc.constantFrom('d', '\u{1f600}', '\uff5e') },
  { weight: 1, arbitrary: fc.constantFrom('nowhere', '', 'x\0y', '\ud83d') },
)
const branch = fc.oneof(
  { weight: 6, arbitrary: fc.constant('main') },
  { weight: 2, arbitrary: fc.constantFrom('side', '\u{1f600}') },
)
const callId = fc.constantFrom('k1', 'k2')
const slot = fc.integer({ min: 0, max: 15 })
const id = (n: number): string => ['a', 'B', 'c\u0301', '\u{1f600}', '\uffff'][n] ?? `e${n}`
const entryId = fc.oneof(
  { weight: 9, arbitrary: slot.map(id) },
  { weight: 1, arbitrary: fc.constantFrom('nowhere', '\0') },
)
const entryOrNone = fc.option(entryId, { freq: 4 })
const limit = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 5_000) },
)
const some = <T>(arbitrary: fc.Arbitrary<T>, freq = 1) => fc.option(arbitrary, { nil: undefined, freq })

const body: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      parts: fc.array(fc.record({ type: fc.constant('text' as const), text: words }), { maxLength: 2 }),
      status: fc.constantFrom('complete' as const, 'aborted' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(callId, { minLength: 1 }).map((ids): Body => {
      const parts = ids.map((id) => ({ type: 'call', id, name: 'f', input: {}, outcome: { state: 'pending' } }) as const)
      return { kind: 'message', role: 'assistant', parts, status: 'complete' }
    }),
  },
  {
    weight: 2,
    arbitrary: callId.map((callId): Body => ({ kind: 'result', callId, state: 'ok', output: [] })),
  },
  { weight: 1, arbitrary: entryId.map((until): Body => ({ kind: 'summary', parts: [], until: until })) },
  { weight: 1, arbitrary: fc.jsonValue().map((data): Body => ({ kind: 'note', label: 'n', data })) },
)

/** What each slot says in one run, so that naming a slot again is a retry. */
const table = fc.array(
  fc.record(
    {
      body,
      text: words,
      tokens: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 30 }) }, { weight: 1, arbitrary: fc.constant(-1) }),
      at,
      author: words,
      model: words,
      meta: fc.dictionary(fc.constantFrom('b', 'a', '__proto__', '1'), fc.jsonValue(), { maxKeys: 3 }),
    },
    { requiredKeys: ['body', 'text', 'tokens', 'at'] },
  ),
  { minLength: 16, maxLength: 16 },
)

type Slots = readonly Omit<NewEntry, 'id'>[]

/** A batch: mostly a run of slots, so that batches chain; now and then one is said in other words. */
const batch = fc.record({
  first: slot,
  count: fc.integer({ min: 1, max: 3 }),
  changed: fc.boolean().chain((yes) => (yes ? fc.boolean() : fc.constant(false))),
})
type Batch = { readonly first: number; readonly count: number; readonly changed: boolean }

const entriesOf = (slots: Slots, { first, count, changed }: Batch): NewEntry[] =>
  Array.from({ length: Math.min(count, 16 - first) }, (_, i) => {
    const said = slots[first + i] as Slots[number]
    return { id: id(first + i), ...said, ...(changed && i === 0 ? { text: `${said.text}!` } : null) }
  })

/** The head a writer expects: none in mind, the true one, or any. */
const expectation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'none' } as const) },
  { weight: 4, arbitrary: fc.constant({ kind: 'head' } as const) },
  { weight: 1, arbitrary: entryOrNone.map((head) => ({ kind: 'given', head }) as const) },
)

const headOf = async (store: Store, workspace: string, conversation: string, branch: string): Promise<string | null> =>
  (await store.branches(workspace, conversation).catch(() => [])).find(({ name }) => name === branch)?.head ?? null

const where = { w: workspace, c: conversation }

/** Leaves out what is undefined. */
const given = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T

/** A step from its fields, printed with them when a run fails. */
function step<T extends Record<string, fc.Arbitrary<unknown>>>(
  name: string,
  fields: T,
  run: (store: Store, workspace: string, given: { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never }) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return fc.record({ w: workspace, ...fields }).map((values) => ({
    name,
    run: (store, prefix) => run(store, prefix + (values as { w: string }).w, values as never),
    toString: () => `${name} ${JSON.stringify(values)}`,
  }))
}

const steps = (slots: Slots): fc.Arbitrary<Step> => {
  const promise = { id: fc.constantFrom('d1', 'd2'), epoch: fc.constantFrom(1, 1, 2, 3), batch }
  const facts = { title: some(words), folder: some(words), tags: some(fc.array(words, { maxLength: 2 })), at }
  return fc.oneof(
    {
      weight: 3,
      arbitrary: step('create', { ...where, ...facts }, (store, w, { c, w: _, ...more }) =>
        store.create(w, given({ id: c, ...more }) as never),
      ),
    },
    {
      weight: 2,
      arbitrary: step(
        'update',
        { ...where, ...facts, pinned: some(fc.boolean()), archived: some(fc.boolean()) },
        (store, w, { c, w: _, ...more }) => store.update(w, c, given(more) as never),
      ),
    },
    { weight: 1, arbitrary: step('remove', { c: conversation }, (store, w, { c }) => store.remove(w, c)) },
    {
      weight: 24,
      arbitrary: step(
        'append',
        { ...where, batch, branch, expectation, from: some(entryOrNone), key: some(fc.constantFrom('k1', 'k2')), at },
        async (store, w, { c, batch, branch, expectation, from, key, at }) => {
          const expect = { none: () => undefined, head: () => headOf(store, w, c, branch), given: () => undefined }
          const head = expectation.kind === 'given' ? expectation.head : await expect[expectation.kind]()
          return store.append(w, c, entriesOf(slots, batch), given({ branch, expect: head, from, key, at }) as never)
        },
      ),
    },
    {
      weight: 3,
      arbitrary: step('setBranch', { ...where, branch, head: entryOrNone, expectation, at }, async (store, w, all) => {
        const { c, branch: name, head, expectation, at } = all
        const expect = expectation.kind === 'given' ? expectation.head : await headOf(store, w, c, name)
        return store.setBranch(w, c, { name, head, expect, at })
      }),
    },
    { weight: 1, arbitrary: step('removeBranch', { ...where, branch }, (s, w, { c, branch }) => s.removeBranch(w, c, branch)) },
    {
      weight: 3,
      arbitrary: step(
        'openDraft',
        { ...where, id: promise.id, branch, parent: entryOrNone, leaseSeconds: fc.constantFrom(0, 900), at },
        (store, w, { c, id, branch, parent, leaseSeconds, at }) =>
          store.openDraft(w, c, { id, branch, parent, leaseSeconds, at }),
      ),
    },
    {
      weight: 2,
      arbitrary: step(
        'saveDraft',
        { ...where, id: promise.id, epoch: promise.epoch, text: words, body: fc.jsonValue(), leaseSeconds: fc.constantFrom(0, 900) },
        (store, w, { c, w: _, ...save }) => store.saveDraft(w, c, save),
      ),
    },
    {
      weight: 3,
      arbitrary: step('promoteDraft', { ...where, ...promise, at }, (store, w, { c, id, epoch, batch, at }) =>
        store.promoteDraft(w, c, { id, epoch, entries: entriesOf(slots, batch), at }),
      ),
    },
    { weight: 1, arbitrary: step('claimDrafts', { lease: fc.constantFrom(0, 900) }, (store, w, { lease }) => store.claimDrafts(w, lease)) },
    {
      weight: 1,
      arbitrary: step('putBlob', { ...where, bytes: fc.constantFrom('x', 'yy'), mediaType: words }, (store, w, all) =>
        store.putBlob(w, all.c, { bytes: Buffer.from(all.bytes), mediaType: all.mediaType }),
      ),
    },
    {
      weight: 2,
      arbitrary: step(
        'putReceipt',
        { ...where, id: fc.constantFrom('r1', 'r2', '\u{1f600}', '\uff5e'), entry: entryOrNone, at, body: fc.jsonValue() },
        (store, w, { c, id, entry, at, body }) => store.putReceipt(w, { id, conversation: c, entry, at, body }),
      ),
    },
    { weight: 1, arbitrary: step('redact', { ...where, entry: entryId }, (store, w, { c, entry }) => store.redact(w, c, entry)) },
    { weight: 1, arbitrary: step('entry', { ...where, entry: entryId }, (store, w, { c, entry }) => store.entry(w, c, entry)) },
    {
      weight: 2,
      arbitrary: step('path', { ...where, head: entryId, limit: some(limit) }, (store, w, { c, head, limit }) =>
        limit === undefined ? store.path(w, c, head) : store.path(w, c, head, limit),
      ),
    },
    {
      weight: 4,
      arbitrary: step(
        'window',
        {
          ...where,
          branch,
          tokens: some(fc.integer({ min: -1, max: 60 })),
          entries: some(fc.nat(6)),
          turns: some(fc.nat(3)),
        },
        (store, w, { c, branch, tokens, entries, turns }) =>
          store.window(w, c, branch, given({ tokens, entries, turns }) as never),
      ),
    },
    {
      weight: 1,
      arbitrary: step('feed', { ...where, after: fc.integer({ min: -1, max: 9 }), limit }, (store, w, { c, after, limit }) =>
        store.feed(w, c, after, limit),
      ),
    },
    {
      weight: 1,
      arbitrary: step(
        'list',
        { limit, archived: some(fc.boolean()), pinned: some(fc.boolean()), folder: some(words, 2), tag: some(words, 2) },
        (store, w, { w: _, ...query }) => store.list(w, given(query) as never),
      ),
    },
  )
}

export const scripts: fc.Arbitrary<readonly Step[]> = table.chain((slots) =>
  fc.array(steps(slots as Slots), { minLength: 5, maxLength: 60, size: 'max' }).map((rest) => [created, ...rest]),
)

/** Most runs are about one conversation; without it they would be about none. */
const created: Step = {
  name: 'create',
  run: (store, prefix) => store.create(`${prefix}one`, { id: 'c', at: '2026-01-01' }),
  toString: () => 'create c',
}

/** What came of it: the value with the order of JSON's keys where it counts, or the code and what goes with it. */
export async function outcome(attempt: Promise<unknown>): Promise<string> {
  try {
    return printed(await attempt)
  } catch (error) {
    if (!HistoryError.is(error)) return `CRASH ${error instanceof Error ? error.stack : error}`
    const tells = error.code === 'head_moved' || error.code === 'fenced' ? error.issues[0]?.value : undefined
    return `${error.code} ${JSON.stringify(tells)}`
  }
}

const printed = (value: unknown): string => `${canonical(bytesAsHex(value))}\n${inner(value).join('\n')}`

const bytesAsHex = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'bytes' in value && value.bytes instanceof Uint8Array
    ? { ...value, bytes: Buffer.from(value.bytes).toString('hex') }
    : (value ?? null)

/** The caller's own JSON, keys in its own order. */
function inner(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'body' || key === 'meta' ? [`${key} ${JSON.stringify(one)}`] : inner(one),
  )
}

/** Everything that can be read of a run's workspaces, in the same order on every store. */
export async function everything(store: Store, prefix: string): Promise<string[]> {
  const out: string[] = []
  const look = async (what: string, attempt: Promise<unknown>): Promise<void> => {
    out.push(`${what}: ${await outcome(attempt)}`)
  }
  for (const workspace of [`${prefix}one`, `${prefix}two`]) {
    for (let cursor: string | undefined, last = false; !last; ) {
      const page = await store.list(workspace, given({ limit: 2, cursor }) as never)
      await look('list', Promise.resolve(page.items))
      cursor = page.cursor ?? undefined
      last = page.cursor === null
    }
    for (const sha of ['2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', blobYy])
      await look('blob', store.getBlob(workspace, sha))
    for (const receipt of ['r1', 'r2', '\u{1f600}', '\uff5e']) await look('receipt', store.getReceipt(workspace, receipt))
    for (const c of ['c', 'd', '\u{1f600}', '\uff5e', 'nowhere']) {
      await look('get', store.get(workspace, c))
      await look('feed', store.feed(workspace, c, 0, 1_000))
      await look('roots', store.children(workspace, c, null))
      await look('branches', store.branches(workspace, c))
      await look('drafts', store.drafts(workspace, c))
      await look('receipts', store.receipts(workspace, c, { limit: 2 }))
      await look('verify', store.verify(workspace, c))
      const branches = await store.branches(workspace, c).catch(() => [])
      for (const { name, head } of branches) {
        if (head !== null) await look('path', store.path(workspace, c, head))
        for (const reach of [{}, { tokens: 20 }, { entries: 2 }, { turns: 1 }, { tokens: 40, entries: 4, turns: 2 }])
          await look(`window of ${name}`, store.window(workspace, c, name, reach))
      }
      for (let n = 0; n < 16; n++) await look('children', store.children(workspace, c, id(n)))
    }
  }
  return out
}

const blobYy = 'a8a6ac4e5a0f2c4d1ef5c0d6a6de4cf1a3d9d0e2a9f1a2b3c4d5e6f708192a3b'
