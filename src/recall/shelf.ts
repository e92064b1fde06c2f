/** What recall knows of the conversations that were asked about: sheets of a store, and cards of what is newer than they are. */
import { type Lru, lru } from '../core/message/lru.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { createTurns, mapSlowly } from '../store/shared/turn.js'
import { cardOf, most as chars, roleOf } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Asked } from './contract.js'
import type { Embedder } from './embedder.js'
import { withBoth } from './lexical.js'
import type { Question } from './query.js'
import { type Leaf, type Loose, pack, span, unpack } from './sheet.js'

/** Where recall looks. */
export interface ShelfPlace extends Pick<Asked, 'store' | 'workspace' | 'conversation'> {
  readonly head: string
}

/** The message to answer may stand at the end already: then nothing is looked for in it. */
interface Wanted extends ShelfPlace, Pick<Asked, 'current'>, Pick<Question, 'pairs'> {}

/** What is newer than the newest leaf, or stands in a hole between two. */
interface Tail {
  readonly first: number
  readonly parents: number[]
  bare: number
  readonly cards: Loose[]
}

interface Held {
  /** By the number of their sheet. */
  readonly leaves: Map<number, Leaf>
  tail: Tail | null
}

/** So many sheets of a conversation are looked at, the newest. */
const sheets = 128
/** So many that were never made are made while a window waits; the others are made off the request. */
const atOnce = 10
/** So many of the last entries of a path are read to see where it ends. */
const few = 24
/** Entries that are read at once. */
const page = 500
/** So many characters are given to the embedder at once. */
const slice = 20_000
/** A sheet is written anew whenever so many entries more belong to it. */
const more = 64
/** What a card that is not packed takes in memory, about, and what a conversation does. */
const [loose, least] = [2_000, 1_000]

/** `memory`: so many bytes are kept, about, of all conversations of a store. */
export function createShelf(embedder: () => Promise<Embedder | null>, memory = 64 * 1024 * 1024) {
  const stores = new WeakMap<Store, Lru<Held>>()
  const inTurn = createTurns()
  const aside = createTurns()

  const shelfOf = ({ store, workspace, conversation }: ShelfPlace) => {
    const shelf = stores.get(store) ?? lru<Held>(memory, weightOf)
    stores.set(store, shelf)
    const name = JSON.stringify([workspace, conversation])
    return {
      name,
      get: () => shelf.get(name),
      set: (held: Held) => shelf.set(name, held),
      drop: () => shelf.drop(name),
    }
  }

  /** Brings what is known up to an entry; true when nothing is missing before it any more. */
  const learn = (place: ShelfPlace, upTo: number, limit: number): Promise<readonly [held: Held, isWhole: boolean]> => {
    const shelf = shelfOf(place)
    return inTurn(place.store, shelf.name, async () => {
      const embeds = await embedder()
      const kind = kindOf(embeds)
      const held = shelf.get() ?? { leaves: await leavesOf(place, kind.cards), tail: null }
      const newest = numberOf(upTo)
      const holes = [...upToNewest(newest)].filter((number) => endOf(held, number) < Math.min(upTo, lastOf(number)))
      for (const number of holes.slice(-limit)) {
        const tail = await fill(place, held, number, Math.min(upTo, lastOf(number)), embeds)
        if (lastOf(number) > upTo && tail.parents.length < more) continue
        const before = held.leaves.get(number) ?? null
        if (before && !before.pairs()) await pair(place, kind.pairs, new Set([before]))
        const leaf = pack(tail, before)
        held.leaves.set(number, leaf)
        if (held.tail === tail) held.tail = null
        void aside(place.store, shelf.name, () => put(place, kind, leaf))
          // it was made of words that are gone, or another process is further
          .then((isKept) => isKept || shelf.drop())
          .catch(() => {})
        shelf.set(held)
      }
      shelf.set(held)
      return [held, holes.length <= limit]
    })
  }

  /** Makes sheets of all that a path has, piece by piece. */
  const all = async (place: ShelfPlace): Promise<void> => {
    const head = await place.store.entry(place.workspace, place.conversation, place.head)
    for (let isWhole = head === null; !isWhole; ) isWhole = (await learn(place, head?.seq ?? 0, 1))[1]
  }

  const find = async <T>(place: Wanted, use: (catalogue: Catalogue) => T | Promise<T>): Promise<T> => {
    const { store, workspace, conversation, current } = place
    const path = await store.path(workspace, conversation, place.head, few)
    const head = path.at(-1) as Entry
    const [held, isWhole] = await learn(place, head.seq, atOnce)
    if (!isWhole) void aside(store, `${workspace} ${conversation}`, () => all(place)).catch(() => {})
    const answered = path[askedAt(path, current)]
    const last = answered ? parentOf(held, answered.seq) : head.seq
    const catalogue = catalogueOf(held, last, head.depth === head.seq - 1)
    const unpaired = catalogue.unpaired(place.pairs.flatMap(([one, other]) => withBoth(catalogue, one, other)))
    if (unpaired.size > 0) {
      await pair(place, kindOf(await embedder()).pairs, unpaired)
      shelfOf(place).set(held)
    }
    return use(catalogue)
  }
  return { find, all }
}

const numberOf = (seq: number): number => Math.floor((seq - 1) / span)
const lastOf = (number: number): number => (number + 1) * span

function* upToNewest(newest: number): Generator<number> {
  for (let number = Math.max(0, newest - sheets + 1); number <= newest; number++) yield number
}

/** The last entry of a sheet that is known. */
function endOf({ leaves, tail }: Held, number: number): number {
  const end = leaves.get(number)?.last ?? number * span
  return tail && numberOf(tail.first) === number ? end + tail.parents.length : end
}

const weightOf = ({ leaves, tail }: Held): number =>
  [...leaves.values()].reduce((sum, { bytes, pairs }) => sum + bytes.length + (pairs()?.length ?? 0), least) +
  (tail?.cards.length ?? 0) * loose

const kindOf = (embeds: Embedder | null) => {
  const model = embeds ? `${embeds.model.slice(0, 150)}/${embeds.dimensions}` : ''
  return { cards: `recall 3 ${model}`, pairs: `recall pairs 3 ${model}` }
}

async function leavesOf({ store, workspace, conversation }: ShelfPlace, kind: string): Promise<Map<number, Leaf>> {
  const leaves = new Map<number, Leaf>()
  for (const { first, last, bytes } of await store.sheets(workspace, conversation, kind)) {
    const leaf = unpack(bytes)
    if (leaf && leaf.first === first && leaf.last === last && first === numberOf(first) * span + 1)
      leaves.set(numberOf(first), leaf)
  }
  return leaves
}

/** Reads the entries of a sheet that are not known yet; what of them makes no whole sheet stays known. */
async function fill(place: ShelfPlace, held: Held, number: number, upTo: number, embeds: Embedder | null) {
  const { store, workspace, conversation } = place
  const own = held.tail && numberOf(held.tail.first) === number ? held.tail : null
  const tail: Tail = own ?? { first: endOf(held, number) + 1, parents: [], bare: 0, cards: [] }
  if (upTo < lastOf(number)) held.tail = tail
  for (let after = tail.first + tail.parents.length - 1; after < upTo; after = tail.first + tail.parents.length - 1) {
    // the one before tells who most parents are
    const from = Math.max(0, after - 1)
    const read = await store.feed(workspace, conversation, from, Math.min(page, upTo - from))
    const known = new Map(read.map(({ id, seq }) => [id, seq]))
    const fresh = read.slice(after - from)
    if (fresh.length === 0) break
    for (const some of slicesOf(fresh)) {
      const vectors = await embeds?.embed(some.map(({ text }) => text.slice(0, chars)))
      const parents: number[] = []
      for (const { parent } of some)
        parents.push(parent === null ? 0 : (known.get(parent) ?? (await seqOf(place, parent))))
      const made = await mapSlowly(some, (entry, at): Loose | null => {
        const role = roleOf(entry)
        if (role === null) return null
        const [card, terms] = cardOf(entry, role, vectors?.[at] ?? null)
        return { card, terms }
      })
      tail.parents.push(...parents)
      tail.cards.push(...made.filter((one) => one !== null))
      tail.bare += some.filter(({ redacted }) => redacted).length
    }
  }
  return tail
}

const seqOf = async ({ store, workspace, conversation }: ShelfPlace, id: string): Promise<number> =>
  (await store.entry(workspace, conversation, id))?.seq ?? 0

function* slicesOf(fresh: readonly Entry[]): Generator<readonly Entry[]> {
  for (let from = 0, to = 0; from < fresh.length; from = to) {
    for (let length = 0; to < fresh.length && length < slice; to++) length += (fresh[to] as Entry).text.length
    yield fresh.slice(from, to)
  }
}

/** Where the message to answer stands on a path; behind it when it is not there. */
function askedAt(path: readonly Entry[], current: string): number {
  const at = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
  return at >= 0 && (path[at] as Entry).text === current ? at : path.length
}

/** 0 when it has none, or none that is known. */
function parentOf({ leaves, tail }: Held, seq: number): number {
  if (tail && seq >= tail.first) return tail.parents[seq - tail.first] ?? 0
  const leaf = leaves.get(numberOf(seq))
  return leaf?.parents[seq - leaf.first] ?? 0
}

/** The cards of the path that ends with an entry. On a path without branches all that is numbered before belongs to it. */
function catalogueOf(held: Held, last: number, isAlone: boolean): Catalogue {
  const { leaves, tail } = held
  const on = isAlone ? null : new Uint8Array(last + 1)
  for (let seq = last; on && seq > 0; seq = parentOf(held, seq)) on[seq] = 1
  const isOn = (seq: number): boolean => seq <= last && on?.[seq] !== 0
  const catalogue = createCatalogue(Math.max(64, Math.min(last, sheets * span)))
  for (const number of last > 0 ? upToNewest(numberOf(last)) : []) {
    const leaf = leaves.get(number)
    if (leaf) catalogue.lay(leaf, on || leaf.last > last ? isOn : null)
  }
  for (const { card, terms } of tail?.cards ?? []) if (isOn(card.seq)) catalogue.add(card, terms)
  return catalogue
}

interface Kind {
  readonly cards: string
  readonly pairs: string
}

/** Which words stand side by side is as much as all the rest, and asked for by few questions. */
async function put({ store, workspace, conversation }: ShelfPlace, { cards, pairs }: Kind, leaf: Leaf) {
  const { first, last, bare, bytes } = leaf
  const beside = leaf.pairs()
  if (beside) await store.putSheet(workspace, conversation, pairs, { first, last, bare, bytes: beside })
  return store.putSheet(workspace, conversation, cards, { first, last, bare, bytes })
}

async function pair({ store, workspace, conversation }: ShelfPlace, kind: string, leaves: ReadonlySet<Leaf>) {
  const found = await store.sheets(
    workspace,
    conversation,
    kind,
    [...leaves].map(({ first }) => first),
  )
  const pairs = new Map(found.map(({ first, bytes }) => [first, bytes]))
  for (const leaf of leaves) leaf.pair(pairs.get(leaf.first) ?? new Uint8Array())
}
