/** Finds the earlier messages that the answer is likely to need: by words, meaning, neighbours and time. No model is asked. */
import type { Issue } from '../core/issue.js'
import type { Recalled } from '../core/stages/recall.js'
import { instantOf } from '../store/instant.js'
import { asksPast } from './asks.js'
import type { Card } from './card.js'
import type { Catalogue } from './catalogue.js'
import { choose, type Offer } from './choose.js'
import type { Answer, Asked, Recaller } from './contract.js'
import { lookElsewhere } from './elsewhere.js'
import type { Embedder } from './embedder.js'
import { type Question, questionOf, subjectOf } from './query.js'
import { rank } from './rank.js'
import { createShelf } from './shelf.js'
import { tableEmbedder } from './table.js'

export interface RecallerOptions {
  /** Left out, the table that comes with the package; null for words alone. */
  readonly embedder?: Embedder | null
}

/** What another conversation says is needed less often. */
const foreign = 0.5
const answering = 0.95

export function createRecaller({ embedder }: RecallerOptions = {}): Recaller {
  let missing: Issue | null = embedder === null ? lexical('no embedder is wanted') : null
  const vectors = async (): Promise<Embedder | null> => {
    if (embedder !== undefined || missing) return embedder ?? null
    return tableEmbedder().catch((error: unknown) => {
      missing = lexical(error instanceof Error ? error.message : String(error))
      return null
    })
  }
  const shelf = createShelf(vectors)
  return async (asked) => {
    const embeds = await vectors()
    const [vector] = (await embeds?.embed([subjectOf(asked.current)])) ?? []
    const now = asked.now === undefined ? Number.NaN : (instantOf(asked.now) ?? Number.NaN)
    const question = questionOf(asked.current, asked.recent, now, vector ?? null, embeds?.kin)
    const [own, other] = await Promise.all([
      asked.head === null ? nothing : ownOf(await shelf({ ...asked, head: asked.head }), question, asked.conversation),
      asked.from === 'workspace' ? othersOf(asked, question, embeds) : [],
    ])
    const share = asksPast(question, own.goesOn, own.newest)
    const room = share === 'usual' ? asked : asked.past(share)
    const missed = own.offers.filter(({ card }) => room.inWindow === null || card.depth < room.inWindow)
    // what the message answers comes first, whatever it costs
    const answered = share === 'alone' ? undefined : missed.find(({ card }) => card === own.answered)
    const found = choose([...missed.filter((offer) => offer !== answered), ...other], room.tokens)
    const chosen = [...(answered ? [{ ...answered, chance: Math.max(answered.chance, answering) }] : []), ...found]
    const items = await Promise.all(chosen.map((offer) => fetch(offer, asked)))
    return {
      items: items.filter((item) => item !== null),
      share,
      ...(missing && { warning: missing }),
    } satisfies Answer
  }
}

interface Found extends Offer {
  readonly conversation: string
  readonly title?: string
  readonly reason: () => string
}

interface Own {
  readonly offers: readonly Found[]
  readonly goesOn: number
  readonly answered: Card | undefined
  /** The highest chance in the newest turn. */
  readonly newest: number
}

const nothing: Own = { offers: [], goesOn: 1, answered: undefined, newest: 1 }

function ownOf(catalogue: Catalogue, question: Question, conversation: string): Own {
  // what the current message answers is always of use
  const answered = catalogue.cards.findLast(({ role }) => role === 'assistant')
  const turn = catalogue.cards.findLastIndex(({ role }) => role === 'user')
  const { offers, goesOn } = offersOf(catalogue, question)
  return {
    offers: offers.map((offer) => ({
      ...offer,
      conversation,
    })),
    goesOn,
    answered,
    // where tools were at work, the answer is spread over the turn
    newest: offers.slice(turn).reduce((most, { card, chance }) => Math.max(most, card.role === 'tool' ? 1 : chance), 0),
  }
}

async function othersOf(asked: Asked, question: Question, embedder: Embedder | null): Promise<Found[]> {
  const { catalogue, hits } = await lookElsewhere(asked, asked.current, embedder)
  return offersOf(catalogue, question).offers.map((offer) => {
    const { conversation, title } = hits[offer.place] as (typeof hits)[number]
    return { ...offer, chance: offer.chance * foreign, conversation, title }
  })
}

type Offers = { readonly offers: readonly Omit<Found, 'conversation'>[]; readonly goesOn: number }

function offersOf(catalogue: Catalogue, question: Question): Offers {
  const { chances, goesOn, reason } = rank(catalogue, question)
  const offer = (card: Card, place: number) => ({
    card,
    place,
    chance: chances[place] as number,
    reason: () => reason(place),
  })
  return { offers: catalogue.cards.map(offer), goesOn }
}

/** Its words are read now: they may have been removed since. */
async function fetch(offer: Found, { store, workspace }: Asked): Promise<Recalled | null> {
  const { card, chance, conversation, title, reason } = offer
  const entry = await store.entry(workspace, conversation, card.id)
  if (!entry || entry.redacted || entry.text.trim() === '') return null
  return {
    id: card.id,
    role: card.role,
    text: entry.text,
    at: entry.at,
    place: entry.depth,
    ...(title !== undefined && { from: title }),
    score: Math.round(chance * 1_000) / 1_000,
    reason: reason(),
  }
}

const lexical = (why: string): Issue => ({
  code: 'recall.lexical',
  field: 'recall',
  message: `earlier messages were looked for by their words alone: ${why}`,
})
