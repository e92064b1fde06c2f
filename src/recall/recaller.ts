/** Finds the earlier messages that the answer is likely to need: by words, meaning, neighbours and time. No model is asked. */
import type { Issue } from '../core/message/issue.js'
import type { Recalled } from '../core/window/recall.js'
import type { Entry } from '../store/contract/entry.js'
import { instantOf } from '../store/shared/instant.js'
import { mapSlowly, nextTurn } from '../store/shared/turn.js'
import { asksPast } from './asks.js'
import { cardOf, roleIn, type Terms } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import { choose, type Offer } from './choose.js'
import type { Answer, Asked, Recaller, Room } from './contract.js'
import { createElsewhere, type Foreign } from './elsewhere.js'
import type { Embedder } from './embedder.js'
import { alwaysOf, createKnowledge, type Known, quoteOf } from './known.js'
import { type Question, questionOf, subjectOf } from './query.js'
import { rank } from './rank.js'
import { createShelf } from './shelf.js'
import { tableEmbedder } from './table.js'
import { day } from './when.js'
import { wordsOf } from './words.js'

/** What recall by meaning uses. */
export interface RecallerOptions {
  /** Left out, the table that comes with the package; null for words alone. */
  readonly embedder?: Embedder | null
  /** So many bytes are kept in memory, about, of the conversations of a store that were asked about last; 64 MiB unless said otherwise. */
  readonly memory?: number
}

/** What another conversation says is needed less often. */
const foreign = 0.5
const answering = 0.95
/** While the talk goes on, nothing less likely comes from beyond it: nothing of that is missing in the window. */
const least = 0.005
/** Profiles that always go along have so much of the room. */
const profiles = 0.25

/** Of a long message, what it begins and ends with: who pastes a file asks before it or behind it. */
const longest = 4_000
const endsOf = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest / 2)}\n${text.slice(-longest / 2)}` : text

/** Recall for `openHistory`: words and meaning, offline. @example await openHistory({ store, recaller: createRecaller() }) */
export function createRecaller(options: RecallerOptions = {}): Recaller {
  return openRecall(options).recall
}

/** Makes ready what is new on a path, for a window to come. */
export type Learn = (
  place: Pick<Asked, 'store' | 'workspace' | 'conversation'> & { readonly head: string },
) => Promise<unknown>

export function openRecall({ embedder, memory }: RecallerOptions = {}) {
  let missing: Issue | null = embedder === null ? lexical('no embedder is wanted') : null
  const vectors = async (): Promise<Embedder | null> => {
    if (embedder !== undefined || missing) return embedder ?? null
    return tableEmbedder().catch((error: unknown) => {
      missing = lexical(error instanceof Error ? error.message : String(error))
      return null
    })
  }
  const shelf = createShelf(vectors, memory)
  const elsewhere = createElsewhere()
  const knowledge = createKnowledge()
  const learn: Learn = (place) => shelf.all(place)
  const recall: Recaller = async (asked) => {
    const embeds = await vectors()
    // who asks at the same time is answered in a turn of its own
    await nextTurn()
    const text = endsOf(asked.current)
    const [vector] = (await embeds?.embed([subjectOf(text)])) ?? []
    await mapSlowly(new Set(wordsOf(text)), (word) => embeds?.kin?.(word))
    const now = asked.now === undefined ? Number.NaN : (instantOf(asked.now) ?? Number.NaN)
    const question = questionOf(text, asked.recent, now, vector ?? null, embeds?.kin)
    const [own, other, known] = await Promise.all([
      asked.head === null
        ? nothing
        : shelf.find({ ...asked, ...question, head: asked.head }, (all) => ownOf(all, question)),
      asked.from === 'workspace' ? elsewhere(asked, text, vector ?? null, embeds) : [],
      asked.from === 'conversation' ? [] : knowledge(asked, embeds),
    ])
    const isAnswered = ({ place }: Offer) => place === own.answered
    // what says nothing is not quoted, and to a message about something else only what it answers is
    const worthy = own.offers.filter((one) => one.card.length > 0 && (!own.isStrange || isAnswered(one)))
    const missedIn = ({ inWindow }: Room) => worthy.filter(({ card }) => inWindow === null || card.depth < inWindow)
    const asks = asksPast(question, own.goesOn, own.newest)
    const past = asks === 'usual' ? asked : asked.past(asks)
    const [always, rest] = alwaysOf(known, Math.max(past.tokens * profiles, past.always))
    const beyond = beyondOf(other, rest, question, asks === 'usual' ? least : 0)
    // nothing gives way to nothing
    const share = beyond.length > 0 || missedIn(past).some((one) => !isAnswered(one)) ? asks : 'usual'
    const room = share === 'usual' ? asked : past
    const missed = missedIn(room)
    // what the message answers comes first, whatever it costs
    const answered = share === 'alone' ? undefined : missed.find(isAnswered)
    const found = choose([...missed.filter((offer) => offer !== answered), ...beyond], room.tokens)
    const read = await readAll(answered ? [answered, ...found] : found, asked)
    const items = await Promise.all([
      ...always.map((one) => quoteOf(one, asked, 1, 'it always counts')),
      ...(answered ? [quote(answered, asked, read, answering)] : []),
      ...found.map((offer) => quote(offer, asked, read)),
    ])
    return {
      items: items.filter((item) => item !== null),
      share,
      ...(missing && { warning: missing }),
    } satisfies Answer
  }
  return { recall, learn }
}

interface Found extends Offer {
  readonly reason: () => string
  /** Where it is from, when that is not the conversation that asks. */
  readonly beyond?: Foreign | Known
}

/** A conversation that begins goes on with nothing. */
const nothing: Awaited<ReturnType<typeof ownOf>> = { offers: [], isStrange: true, goesOn: 0, answered: -1, newest: 1 }

async function ownOf(catalogue: Catalogue, question: Question) {
  await nextTurn()
  const { facts } = catalogue.columns()
  // what the current message answers is always of use
  const answered = facts.findLastIndex((fact) => roleIn(fact) === 'assistant')
  const turn = facts.findLastIndex((fact) => roleIn(fact) === 'user')
  const found = offersOf(catalogue, question)
  const { offers } = found
  return {
    ...found,
    answered,
    // the highest chance in the newest turn; where tools were at work, the answer is spread over the turn
    newest: offers
      .filter(({ place }) => place >= turn)
      .reduce((most, { card, chance }) => Math.max(most, roleIn(card.facts) === 'tool' ? 1 : chance), 0),
  }
}

function beyondOf(others: readonly Foreign[], known: readonly Known[], question: Question, low: number): Found[] {
  if (others.length + known.length === 0) return []
  const all = [...others, ...known]
  const catalogue = createCatalogue()
  for (const { card, terms } of all) catalogue.add(card, terms)
  // it ends with a day of silence, so that nothing passes for the talk just now
  const last = all.at(-1)?.card.at ?? Number.NaN
  catalogue.add({ ...silence, at: last + day }, none)
  const { offers } = offersOf(catalogue, question)
  const concerned = concernedOf(all, offers)
  return offers.flatMap((offer) => {
    const one = all[offer.place]
    if (!one || ('seq' in one && !concerned.has(one.conversation))) return []
    const chance = 'memory' in one ? offer.chance : offer.chance * foreign
    return chance < low ? [] : [{ ...offer, chance, beyond: one }]
  })
}

/** A conversation whose best message is this much less likely than the best of all has nothing to do with the question. */
const unrelated = 0.1

/** The conversations that the question is about. */
function concernedOf(all: readonly (Foreign | Known)[], offers: readonly Offer[]): ReadonlySet<string> {
  const best = new Map<string, number>()
  for (const { place, chance } of offers) {
    const one = all[place]
    if (one && 'seq' in one) best.set(one.conversation, Math.max(best.get(one.conversation) ?? 0, chance))
  }
  const least = unrelated * Math.max(0, ...best.values())
  return new Set([...best].flatMap(([id, chance]) => (chance >= least ? [id] : [])))
}

const none: Terms = new Map()
const [silence] = cardOf({ seq: 0, depth: 0, contentHash: '', at: '', tokens: 0, text: '' }, 'tool', null)

function offersOf(catalogue: Catalogue, question: Question) {
  const { places, chances, goesOn, isStrange, reason } = rank(catalogue, question)
  const offer = (place: number, row: number): Found => ({
    card: catalogue.card(place),
    place,
    chance: chances[row] as number,
    reason: () => reason(row),
  })
  return { offers: places.map(offer), goesOn, isStrange }
}

type Read = ReadonlyMap<Found, Entry | null>

/** The words of all that was found: they may have been removed since. */
async function readAll(found: readonly Found[], { store, workspace, conversation }: Asked): Promise<Read> {
  const said = found.filter(({ beyond }) => !(beyond && 'memory' in beyond))
  const spots = said.map(({ card, beyond }) => (beyond && 'seq' in beyond ? beyond : { conversation, seq: card.seq }))
  const entries = spots.length > 0 ? await store.pick(workspace, spots) : []
  return new Map(said.map((one, at) => [one, entries[at] ?? null]))
}

/** `least`: what the chance is at least. */
async function quote(found: Found, asked: Asked, read: Read, least = 0): Promise<Recalled | null> {
  const { card, chance, reason, beyond } = found
  const score = Math.round(Math.max(chance, least) * 1_000) / 1_000
  if (beyond && 'memory' in beyond) return quoteOf(beyond, asked, score, reason())
  const entry = read.get(found)
  if (!entry || entry.redacted || entry.text.trim() === '') return null
  return {
    id: entry.id,
    role: roleIn(card.facts),
    text: entry.text,
    at: entry.at,
    place: entry.depth,
    ...(beyond && { from: beyond.title, conversation: beyond.conversation }),
    score,
    reason: reason(),
  }
}

const lexical = (why: string): Issue => ({
  code: 'recall.lexical',
  field: 'recall',
  message: `earlier messages were looked for by their words alone: ${why}`,
})
