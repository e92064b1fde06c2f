/** Random operations on a store. What they are about is looked up in it, so that most of them hit something. */
import fc from 'fast-check'
import type { NewEntry } from '../../src/store/contract/entry.js'
import type { Store } from '../../src/store/contract/store.js'
import { beside } from './beside.js'
import {
  at,
  type Batch,
  batch,
  branch,
  conversation,
  type Expectation,
  expectation,
  json,
  type Lines,
  limit,
  lines,
  type Place,
  place,
  placeOrNone,
  some,
  words,
  workspace,
} from './values.js'

export interface Step {
  readonly name: string
  /** `prefix` keeps the workspaces of two runs apart. */
  readonly run: (store: Store, prefix: string) => Promise<unknown>
  toString(): string
}

/** Ids of many scripts, none in the order of writing. */
export const idOf = (n: number): string => ['z', 'B', 'c\u0301', '\u{1f600}', '\uffff'][n] ?? `e${1_000 - n}`

/** Looks things up for one step. */
export interface Scene {
  readonly store: Store
  readonly w: string
  readonly c: string
  readonly at: (place: Place | null) => Promise<string | null>
  readonly batch: (batch: Batch) => Promise<NewEntry[]>
  readonly expect: (expectation: Expectation, branch: string) => Promise<string | null | undefined>
}

function sceneOf(store: Store, w: string, c: string, said: Lines): Scene {
  const written = async () => (await store.get(w, c))?.entries ?? 0
  const at = async (place: Place | null) => {
    if (place === null) return null
    return 'named' in place ? place.named : idOf(Math.max(0, (await written()) - 1 - place.back))
  }
  return {
    store,
    w,
    c,
    at,
    async batch({ back, count, turn }) {
      const first = Math.max(0, (await written()) - back)
      return Array.from({ length: count }, (_, i) => {
        const line = said[(first + i) % said.length] as Lines[number]
        const other = { 'as it was': {}, changed: { text: `${line.text}!` }, invalid: { tokens: -1 } }[turn]
        return { id: idOf(first + i), ...line, ...(i === count - 1 ? other : null) }
      })
    },
    async expect(expectation, branch) {
      if (expectation.kind === 'none') return undefined
      if (expectation.kind === 'any') return at(expectation.head)
      const branches = await store.branches(w, c).catch(() => [])
      return branches.find(({ name }) => name === branch)?.head ?? null
    },
  }
}

/** Leaves out what is undefined. */
export const given = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never

type Values<T> = { readonly [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never }

export const scripts: fc.Arbitrary<readonly Step[]> = lines.chain((said) => {
  /** A step from its fields, printed with them when a run fails. */
  const step = <T extends Record<string, fc.Arbitrary<unknown>>>(
    weight: number,
    name: string,
    fields: T,
    run: (scene: Scene, given: Values<T>) => Promise<unknown>,
  ) => ({
    weight,
    arbitrary: fc.tuple(workspace, conversation, fc.record(fields)).map(
      ([w, c, values]): Step => ({
        name,
        run: (store, prefix) => run(sceneOf(store, prefix + w, c, said), values as Values<T>),
        toString: () => `${name} ${JSON.stringify([w, c, values])}`,
      }),
    ),
  })
  const any = fc.oneof(...writes(step), ...records(step), ...reads(step), ...beside(step))
  return fc.array(any, { minLength: 10, maxLength: 80, size: 'max' }).map((rest) => [...beginnings, ...rest])
})

export type MakeStep = <T extends Record<string, fc.Arbitrary<unknown>>>(
  weight: number,
  name: string,
  fields: T,
  run: (scene: Scene, given: Values<T>) => Promise<unknown>,
) => { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> }

const facts = { title: some(words), folder: some(words), tags: some(fc.array(words, { maxLength: 2 })), at }
const flags = { pinned: some(fc.boolean()), archived: some(fc.boolean()) }
const key = some(fc.constantFrom('k1', 'k2', 'k3', 'k4'), 4)

const writes = (step: MakeStep) => [
  step(2, 'create', facts, ({ store, w, c }, more) => store.create(w, given({ id: c, ...more }))),
  step(3, 'update', { ...facts, ...flags }, ({ store, w, c }, patch) => store.update(w, c, given(patch))),
  step(1, 'remove', {}, ({ store, w, c }) => store.remove(w, c === 'c' ? 'd' : c)),
  step(
    30,
    'append',
    { batch, branch, expectation, from: some(placeOrNone, 5), key, at },
    async ({ store, w, c, ...scene }, { batch, branch, expectation, from, key, at }) => {
      const expect = await scene.expect(expectation, branch)
      const start = from === undefined ? undefined : await scene.at(from)
      const options = { branch, expect, from: start, key, at }
      return store.append(w, c, await scene.batch(batch), given(options))
    },
  ),
  step(
    4,
    'setBranch',
    { branch, head: placeOrNone, expectation, at },
    async (scene, { branch, head, expectation, at }) => {
      const expect = (await scene.expect(expectation, branch)) ?? null
      return scene.store.setBranch(scene.w, scene.c, { name: branch, head: await scene.at(head), expect, at })
    },
  ),
  step(1, 'removeBranch', { branch }, ({ store, w, c }, { branch }) => store.removeBranch(w, c, branch)),
  step(1, 'redact', { place }, async ({ store, w, c, at }, { place }) =>
    store.redact(w, c, (await at(place)) as string),
  ),
]

const id = fc.constantFrom('d1', 'd2')
const leaseSeconds = fc.constantFrom(0, 900)
const stale = fc.constantFrom(0, 0, 0, 1)

export const epochOf = async ({ store, w, c }: Scene, id: string): Promise<number> =>
  (await store.drafts(w, c).catch(() => [])).find((draft) => draft.id === id)?.epoch ?? 1

const records = (step: MakeStep) => [
  step(5, 'openDraft', { id, branch, parent: placeOrNone, leaseSeconds, at }, async (scene, { parent, ...draft }) =>
    scene.store.openDraft(scene.w, scene.c, { ...draft, parent: await scene.at(parent) }),
  ),
  step(4, 'saveDraft', { id, stale, text: words, body: json, leaseSeconds }, async (scene, { stale, ...save }) =>
    scene.store.saveDraft(scene.w, scene.c, { ...save, epoch: (await epochOf(scene, save.id)) - stale }),
  ),
  step(4, 'promoteDraft', { id, stale, batch, at }, async (scene, { id, stale, batch, at }) =>
    scene.store.promoteDraft(scene.w, scene.c, {
      id,
      epoch: (await epochOf(scene, id)) - stale,
      entries: await scene.batch(batch),
      at,
    }),
  ),
  step(2, 'claimDrafts', { leaseSeconds }, ({ store, w }, { leaseSeconds }) => store.claimDrafts(w, leaseSeconds)),
  step(2, 'putBlob', { bytes: fc.constantFrom('x', 'yy'), mediaType: words }, ({ store, w, c }, { bytes, mediaType }) =>
    store.putBlob(w, c, { bytes: Buffer.from(bytes), mediaType }),
  ),
  step(
    3,
    'putReceipt',
    { id: fc.constantFrom('r1', 'r2', '\u{1f600}', '\uff5e'), entry: placeOrNone, at, body: json },
    async (scene, { entry, ...receipt }) =>
      scene.store.putReceipt(scene.w, { ...receipt, conversation: scene.c, entry: await scene.at(entry) }),
  ),
]

const reads = (step: MakeStep) => [
  step(1, 'entry', { place }, async ({ store, w, c, at }, { place }) => store.entry(w, c, (await at(place)) as string)),
  step(2, 'path', { place, limit: some(limit) }, async ({ store, w, c, at }, { place, limit }) =>
    store.path(w, c, (await at(place)) as string, limit),
  ),
  step(
    4,
    'window',
    { branch, tokens: some(fc.integer({ min: -1, max: 60 })), entries: some(fc.nat(6)), turns: some(fc.nat(3)) },
    ({ store, w, c }, { branch, ...reach }) => store.window(w, c, branch, given(reach)),
  ),
  step(1, 'feed', { after: fc.integer({ min: -1, max: 9 }), limit }, ({ store, w, c }, { after, limit }) =>
    store.feed(w, c, after, limit),
  ),
  step(1, 'list', { limit, ...flags, folder: some(words, 3), tag: some(words, 3) }, ({ store, w }, query) =>
    store.list(w, given(query)),
  ),
]

/** Without these, most steps would be about nothing. */
const beginnings = ['c', 'd'].map(
  (id): Step => ({
    name: 'create',
    run: (store, prefix) => store.create(`${prefix}one`, { id, at: '2026-01-01' }),
    toString: () => `create ${id}`,
  }),
)
