/** What is known beyond one conversation, as a window takes it: profiles always, the rest when it matters. */
import { type Lru, lru } from '../core/message/lru.js'
import type { Recalled } from '../core/window/recall.js'
import type { Store } from '../store/contract/store.js'
import { digest } from '../store/shared/runtime.js'
import { cardOf } from './card.js'
import type { Beyond, Carded } from './elsewhere.js'
import type { Embedder } from './embedder.js'
import { type Memory, openMemories } from './memories.js'

/** A card of a memory. */
export interface Known extends Carded {
  readonly memory: Memory
}

/** So many of the newest are looked at. */
const most = 500
/** What the label of one and the line that says where it is from cost. */
const framing = 12

export function createKnowledge() {
  const stores = new WeakMap<Store, Lru<Carded>>()
  return async ({ store, workspace }: Beyond, embedder: Embedder | null): Promise<readonly Known[]> => {
    const held = stores.get(store) ?? lru<Carded>(most * 4)
    stores.set(store, held)
    const { items: memories } = await openMemories({ store, workspace }).list({ limit: most })
    const nameOf = ({ id, revision }: Memory): string => JSON.stringify([workspace, id, revision])
    const fresh = memories.filter((memory) => !held.get(nameOf(memory)))
    const vectors = embedder && fresh.length > 0 ? await embedder.embed(fresh.map(({ text }) => text)) : null
    for (const [at, memory] of fresh.entries()) held.set(nameOf(memory), carded(memory, vectors?.[at] ?? null))
    return memories.map((memory) => ({ memory, ...(held.get(nameOf(memory)) as Carded) }))
  }
}

/** It counts as said by a person: someone wants it to be known. */
function carded({ text, author, updatedAt: at, revision }: Memory, vector: Float32Array | null): Carded {
  const tokens = Math.ceil(text.length / 3) + framing
  const contentHash = digest(text)
  const [card, terms] = cardOf({ seq: 0, depth: revision, contentHash, at, tokens, text, author }, 'user', vector)
  return { card, terms }
}

/** Profiles as far as they fit, the most often corrected and the newest of them first; and all that is left. */
export function alwaysOf(known: readonly Known[], tokens: number): readonly [always: Known[], rest: Known[]] {
  const profiles = known
    .filter(({ memory }) => memory.kind === 'profile')
    .sort((one, other) => other.memory.revision - one.memory.revision)
  let left = tokens
  const always = profiles.filter(({ card }) => {
    const fits = card.tokens <= left
    if (fits) left -= card.tokens
    return fits
  })
  const taken = new Set(always)
  return [always, known.filter((one) => !taken.has(one))]
}

/** Null when the message it was taken from has lost its words. */
export async function quoteOf(
  { memory: { id, text, source, updatedAt: at } }: Known,
  { store, workspace, conversation }: Beyond,
  score: number,
  reason: string,
): Promise<Recalled | null> {
  const quoted = { id, role: 'memory', text, at, score, reason } as const
  if (!source) return quoted
  const [entry, talk] = await Promise.all([
    store.entry(workspace, source.conversation, source.entry),
    store.get(workspace, source.conversation),
  ])
  if (!entry || entry.redacted || !talk) return null
  return talk.id === conversation ? quoted : { ...quoted, from: talk.title, conversation: talk.id }
}
