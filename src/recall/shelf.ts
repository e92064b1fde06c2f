/** The catalogues of the conversations that were asked about lately, kept beside them as sheets; only what is new on a path is read. */
import { type Lru, lru } from '../core/message/lru.js'
import type { Entry } from '../store/contract/entry.js'
import type { Store } from '../store/contract/store.js'
import { madeOfWords } from '../store/search/quote.js'
import { digest } from '../store/shared/runtime.js'
import { createTurns, mapSlowly } from '../store/shared/turn.js'
import { type Card, cardOf, most as chars, roleOf } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Asked } from './contract.js'
import type { Embedder } from './embedder.js'
import { withBoth } from './lexical.js'
import type { Question } from './query.js'
import { most, type Packed, type Pairing } from './sheet.js'

/** The message to answer may stand at the end already: then nothing is looked for in it. */
interface Place extends Pick<Asked, 'store' | 'workspace' | 'conversation' | 'current'>, Pick<Question, 'pairs'> {
  readonly head: string
}

interface Held {
  readonly catalogue: Catalogue
  /** The last entry that was looked at, and the last before the loose cards. */
  readonly last: string | null
  readonly laid: string | null
  /** How many of the loose cards are kept. */
  readonly kept: number
}

/** The cards of a stretch of a path, from behind one entry to another. */
interface Sheet extends Packed {
  /** Of cards, and of whose vectors they have. */
  readonly version: string
  readonly after: string | null
  readonly last: string
}

/** So many of the newest entries of a path are looked at. */
const entries = 10_000
/** Read at first, because mostly the rest is known, and then at once. */
const few = 24
const page = 500
/** So many characters are given to the embedder at once. */
const slice = 20_000
/** Loose cards are kept, too, whenever there are so many more of them. */
const more = 64

/** `held`: so many cards are in memory in all. */
export function createShelf(embedder: () => Promise<Embedder | null>, held = 40_000) {
  const stores = new WeakMap<Store, Lru<Held>>()
  const inTurn = createTurns()
  const aside = createTurns()
  /** `use` has the catalogue to itself: it ends with the head that was asked for, and grows with whoever asks next. */
  return <T>(place: Place, use: (catalogue: Catalogue) => T | Promise<T>): Promise<T> => {
    const name = JSON.stringify([place.workspace, place.conversation])
    const shelf = stores.get(place.store) ?? lru<Held>(held, ({ catalogue }) => catalogue.weight() + 1)
    stores.set(place.store, shelf)
    return inTurn(place.store, name, async () => {
      const version = `2 ${(await embedder())?.model ?? ''}`
      const before = shelf.get(name)
      const { pieces, goesOn } = await read(place, before?.last ?? null, version)
      let now: Held =
        before && goesOn ? before : { catalogue: createCatalogue(), last: null, laid: startOf(pieces), kept: 0 }
      const { catalogue } = now
      const keep = () => {
        const loose = [...catalogue.loose()]
        const { cards, pairs } = catalogue.pack()
        const sheet = { version, after: now.laid, last: now.last as string, ...cards }
        void aside(place.store, name, () => put(place, sheet, pairs, loose)).catch(() => {})
        now = { ...now, kept: loose.length }
        return [sheet, saying(pairs)] as const
      }
      const lay = (packed: Packed, pairing: Pairing, last: string | null): void => {
        catalogue.lay(packed, pairing)
        now = { ...now, last, laid: last, kept: 0 }
      }
      await mapSlowly(pieces, async (piece) => {
        if ('version' in piece) {
          if (catalogue.loose().length > 0) lay(...keep(), now.last)
          return lay(piece, pairingOf(place, piece), piece.last)
        }
        for (const fresh of slicesOf(piece)) {
          const vectors = await (await embedder())?.embed(fresh.map(({ text }) => text.slice(0, chars)))
          await mapSlowly(fresh, (entry, at) => {
            const role = roleOf(entry)
            if (role !== null) catalogue.add(...cardOf(entry, role, vectors?.[at] ?? null))
            now = { ...now, last: entry.id }
            if (catalogue.loose().length === most) lay(...keep(), entry.id)
          })
          shelf.set(name, now)
        }
      })
      if (catalogue.loose().length >= now.kept + more) keep()
      shelf.set(name, now)
      await catalogue.pair(place.pairs.flatMap(([one, other]) => withBoth(catalogue, one, other)))
      return use(catalogue)
    })
  }
}

type Piece = Sheet | readonly Entry[]

const startOf = ([first]: readonly Piece[]): string | null =>
  (first && ('version' in first ? first.after : first[0]?.parent)) ?? null

/** From the last known entry on, or from far back when the path does not lead through it: sheets, and entries where there is none. */
async function read(
  { store, workspace, conversation, head, current }: Place,
  last: string | null,
  version: string,
): Promise<{ readonly pieces: readonly Piece[]; readonly goesOn: boolean }> {
  const pieces: Piece[] = []
  let sheets: ReadonlyMap<string, Sheet> | null = null
  let count = 0
  for (let from: string | null = head, limit = few; from !== null && count < entries; limit = page) {
    const path: readonly Entry[] = await store.path(workspace, conversation, from, limit)
    const end = from === head ? endOf(path, current) : path.length
    const known = last === null ? -1 : path.findLastIndex(({ id }) => id === last)
    if (known >= 0) return { pieces: [path.slice(known + 1, end), ...pieces], goesOn: true }
    sheets ??= await sheetsOf(store, workspace, conversation, version)
    const at = path.findLastIndex(({ id }) => sheets?.has(id))
    if (end > at + 1) pieces.unshift(path.slice(at + 1, end))
    count += path.length - at - 1
    from = at < 0 ? (path[0]?.parent ?? null) : (path[at] as Entry).id
    for (let sheet = sheets.get(from ?? ''); sheet && count < entries; sheet = sheets.get(from ?? '')) {
      pieces.unshift(sheet)
      count += sheet.ids.length
      from = sheet.after
    }
  }
  return { pieces, goesOn: false }
}

function endOf(path: readonly Entry[], current: string): number {
  const at = path.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user')
  return at >= 0 && (path[at] as Entry).text === current ? at : path.length
}

/** As many as the entries that are looked at make, by the last entry of each. */
async function sheetsOf(store: Store, workspace: string, conversation: string, version: string) {
  const { items } = await store.records(workspace, {
    kind: madeOfWords.cards,
    conversation,
    limit: Math.ceil((1.5 * entries) / most),
  })
  const sheets = items.map(({ body }) => body as Sheet).filter((sheet) => sheet.version === version)
  return new Map(sheets.map((sheet) => [sheet.last, sheet]))
}

/** It goes again if words that it was made of were removed meanwhile. */
async function put(place: Place, sheet: Sheet, pairs: string, cards: readonly Card[]): Promise<void> {
  const { store, workspace, conversation } = place
  const [first, last] = [cards[0], cards.at(-1)] as [Card, Card]
  const common = { id: nameOf(place, sheet), conversation, at: new Date(last.at || 0).toISOString() }
  await store.putRecord(workspace, { ...common, kind: madeOfWords.pairs, body: { last: sheet.last, pairs } })
  await store.putRecord(workspace, { ...common, kind: madeOfWords.cards, body: sheet })
  const path = await store.path(workspace, conversation, last.id, last.depth - first.depth + 1)
  const gone = new Set(path.flatMap(({ id, redacted }) => (redacted ? [id] : [])))
  if (cards.some((card) => gone.has(card.id)))
    for (const kind of Object.values(madeOfWords)) await store.removeRecord(workspace, kind, common.id)
}

const nameOf = ({ conversation }: Pick<Place, 'conversation'>, { after }: Pick<Sheet, 'after'>): string =>
  digest(JSON.stringify([conversation, after]))

// made here, where nothing of the window that asked is in reach: they live as long as the sheet

const saying =
  (pairs: string): Pairing =>
  async () =>
    pairs

/** Null when it went with its words, or another sheet was kept in the place of this one. */
const pairingOf =
  ({ store, workspace, conversation }: Place, { after, last: upTo }: Sheet): Pairing =>
  async () => {
    const record = await store.getRecord(workspace, madeOfWords.pairs, nameOf({ conversation }, { after }))
    const { last, pairs } = (record?.body ?? {}) as { readonly last?: string; readonly pairs?: string }
    return last === upTo ? (pairs ?? null) : null
  }

function* slicesOf(fresh: readonly Entry[]): Generator<readonly Entry[]> {
  for (let from = 0, to = 0; from < fresh.length; from = to) {
    for (let chars = 0; to < fresh.length && chars < slice; to++) chars += (fresh[to] as Entry).text.length
    yield fresh.slice(from, to)
  }
}
