/** Random operations on what stands beside the log: commits, events, records, search. */
import fc from 'fast-check'
import type { Step as Write } from '../../src/store/contract/commit.js'
import type { Page } from '../../src/store/contract/page.js'
import { epochOf, given, type MakeStep, type Scene } from './operations.js'
import {
  at,
  type Batch,
  batch,
  branch,
  type Expectation,
  expectation,
  json,
  limit,
  place,
  placeOrNone,
  some,
  words,
} from './values.js'

const key = some(fc.constantFrom('k1', 'k2', 'k3', 'k4'), 4)
const draft = fc.constantFrom('d1', 'd2')
const leaseSeconds = fc.constantFrom(0, 900)
const stale = fc.constantFrom(0, 0, 0, 1)
const kind = fc.constantFrom('run', 'count')
const record = fc.constantFrom('r1', 'r2', '\u{1f600}')
const expect = some(fc.constantFrom(null, 1, 2, 3), 3)
const numbers = fc.dictionary(
  fc.constantFrom('n', '9', '10', 'é', '__proto__'),
  fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0.1, 0.2, 1e-7, 1e21)),
  { maxKeys: 3 },
)
const events = fc.array(fc.record({ type: fc.constantFrom('text-delta', 'run-ended'), data: json }), { maxLength: 3 })

type Plan = (scene: Scene) => Promise<Write>
const plan = <T extends object>(
  weight: number,
  fields: { [K in keyof T]: fc.Arbitrary<T[K]> },
  make: (scene: Scene, values: T) => Promise<Write>,
) => ({
  weight,
  arbitrary: fc
    .record(fields)
    .map((values): Plan & { toJSON(): unknown } =>
      Object.assign((scene: Scene) => make(scene, values as T), { toJSON: () => values }),
    ),
})

type Appending = { batch: Batch; branch: string; expectation: Expectation; key: string | undefined; at: string }

const writes: fc.Arbitrary<Plan> = fc.oneof(
  plan<Appending>(
    6,
    { batch, branch, expectation, key, at },
    async (scene, { batch, branch, expectation, key, at }) => {
      const options = given({ branch, expect: await scene.expect(expectation, branch), key, at })
      return { do: 'append', entries: await scene.batch(batch), options }
    },
  ),
  plan(1, { branch, head: placeOrNone, expectation, at }, async (scene, { branch, head, expectation, at }) => {
    const expect = (await scene.expect(expectation as Expectation, branch)) ?? null
    return { do: 'set-branch', move: { name: branch, head: await scene.at(head), expect, at } }
  }),
  plan(
    3,
    { id: draft, branch, parent: placeOrNone, leaseSeconds, at, body: json, sole: fc.boolean() },
    async (scene, { parent, ...rest }) => ({
      do: 'open-draft',
      draft: { ...rest, parent: await scene.at(parent) },
    }),
  ),
  plan(2, { id: draft, stale, text: words, body: json, leaseSeconds }, async (scene, { stale, ...save }) => ({
    do: 'save-draft',
    draft: { ...save, epoch: (await epochOf(scene, save.id)) - stale },
  })),
  plan(1, { id: draft, stale, leaseSeconds }, async (scene, { stale, ...renewal }) => ({
    do: 'renew-draft',
    draft: { ...renewal, epoch: (await epochOf(scene, renewal.id)) - stale },
  })),
  plan(3, { id: draft, stale, batch, at }, async (scene, { id, stale, batch, at }) => ({
    do: 'promote-draft',
    promotion: { id, epoch: (await epochOf(scene, id)) - stale, entries: await scene.batch(batch), at },
  })),
  plan(1, { id: draft, stale }, async (scene, { id, stale }) => ({
    do: 'drop-draft',
    id,
    epoch: (await epochOf(scene, id)) - stale,
  })),
  plan(
    1,
    { id: fc.constantFrom('r1', 'r2'), entry: placeOrNone, at, body: json },
    async (scene, { entry, ...receipt }) => ({
      do: 'put-receipt',
      receipt: { ...receipt, conversation: scene.c, entry: await scene.at(entry) },
    }),
  ),
  plan(3, { kind, id: record, body: json, at, expect }, async (_, put) => ({ do: 'put-record', record: given(put) })),
  plan(3, { kind, id: record, numbers, at }, async (_, add) => ({ do: 'add-record', record: add })),
  plan(1, { kind, id: record }, async (_, { kind, id }) => ({ do: 'remove-record', kind, id })),
  plan(4, { events, at }, async (_, told) => ({ do: 'emit', ...told })),
)

/** The places in a cursor are each store's own. */
export const items = async <T>(page: Promise<Page<T>>): Promise<readonly [readonly T[], more: boolean]> => {
  const { items, cursor } = await page
  return [items, cursor !== null]
}

const role = some(fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const, 'system' as const), 4)
const query = fc.oneof(fc.constantFrom('a', 'he', 'hello', 'e', 'a hello', 'hello a', 'é x'), words)
const time = some(at, 5)

export const beside = (step: MakeStep) => [
  step(16, 'commit', { plans: fc.array(writes, { minLength: 1, maxLength: 5 }) }, async (scene, { plans }) => {
    const steps: Write[] = []
    for (const plan of plans) steps.push(await plan(scene))
    return scene.store.commit(scene.w, scene.c, steps)
  }),
  step(2, 'events', { after: fc.integer({ min: -1, max: 9 }), limit }, ({ store, w, c }, { after, limit }) =>
    store.events(w, c, after, limit),
  ),
  step(1, 'trimEvents', { upTo: fc.integer({ min: -1, max: 9 }) }, ({ store, w, c }, { upTo }) =>
    store.trimEvents(w, c, upTo).then(() => null),
  ),
  step(
    3,
    'putRecord',
    { kind, id: record, body: json, at, expect, own: fc.boolean() },
    ({ store, w, c }, { own, ...put }) => store.putRecord(w, given({ ...put, conversation: own ? c : undefined })),
  ),
  step(1, 'removeRecord', { kind, id: record }, ({ store, w }, { kind, id }) =>
    store.removeRecord(w, kind, id).then(() => null),
  ),
  step(1, 'records', { kind, limit, own: fc.boolean() }, ({ store, w, c }, { own, ...query }) =>
    items(store.records(w, given({ ...query, conversation: own ? c : undefined }))),
  ),
  step(
    5,
    'search',
    {
      text: query,
      limit,
      own: fc.boolean(),
      branch: some(branch, 4),
      tag: some(words, 5),
      role,
      since: time,
      until: time,
    },
    ({ store, w, c }, { own, branch, ...query }) =>
      items(store.search(w, given({ ...query, ...(own ? { conversation: c, branch } : null) }))),
  ),
  step(2, 'embed', { limit }, async ({ store, w }, { limit }) => {
    const found = await store.unembedded(w, 'm', limit)
    await store.putVectors(
      w,
      'm',
      found.map(({ text, ...one }) => ({ ...one, vector: Float32Array.of(text.length, 3, text.charCodeAt(0) % 7) })),
    )
    return found
  }),
  step(
    3,
    'search by meaning',
    { text: query, limit, own: fc.boolean(), branch: some(branch, 4), role, by: fc.constantFrom('meaning', 'both') },
    ({ store, w, c }, { own, branch, by, ...query }) => {
      const near = { model: 'm', vector: Float32Array.of(5, 3, 1), by, least: 0.9 }
      return items(store.search(w, given({ ...query, near, ...(own ? { conversation: c, branch } : null) })))
    },
  ),
  step(2, 'locate', { texts: fc.array(query, { maxLength: 3 }), limit }, ({ store, w }, { texts, limit }) =>
    store.locate(w, [...texts, { model: 'm', vector: Float32Array.of(5, 3, 1), least: 0.9 }], limit),
  ),
  step(1, 'pick', { seqs: fc.array(fc.nat(9), { maxLength: 4 }) }, ({ store, w, c }, { seqs }) =>
    store.pick(
      w,
      seqs.map((seq) => ({ conversation: c, seq })),
    ),
  ),
  step(1, 'reindex', { limit }, async ({ store, w }, { limit }) => (await store.reindex(w, { limit })).entries),
  step(1, 'redact and search', { place, text: query }, async ({ store, w, c, at }, { place, text }) => [
    await store.redact(w, c, (await at(place)) as string),
    await items(store.search(w, { text, limit: 9 })),
  ]),
]
