/** Gives messages their vectors, in the order in which they can be found. */
import type { NewVector, Unembedded } from '../store/contract/search.js'
import type { Store } from '../store/contract/store.js'
import { createTurns, mapSlowly } from '../store/shared/turn.js'
import type { Embedder } from './embedder.js'
import { tellingIn } from './words.js'

interface Intake {
  readonly store: Store
  readonly workspace: string
  /** The name under which the vectors are kept. */
  readonly model: string
  readonly embedder: Embedder
  readonly most: number
  /** Told how many, with each batch. */
  readonly told?: (count: number) => void
}

/** What is taken in with one write, so that nobody waits long for it. */
const batch = 32
/** So much of a text is looked at: what is longer is a file or a log. */
const chars = 8_000

/** One at a time for each workspace. Whoever comes later looks again: something may be newer than what the first one saw. */
export function createIntake() {
  const inTurn = createTurns()
  return (intake: Intake) =>
    inTurn(intake.store, JSON.stringify([intake.workspace, intake.model]), () => takeIn(intake))
}

async function takeIn({ store, workspace, model, embedder, most, told }: Intake) {
  for (let done = 0; done < most; ) {
    const fresh = await store.unembedded(workspace, model, batch)
    if (fresh.length === 0) return { isWhole: true }
    await store.putVectors(workspace, model, await vectorsOf(fresh, embedder))
    done += fresh.length
    told?.(fresh.length)
  }
  return { isWhole: false }
}

/** What says nothing, such as "ok", is near to nothing. */
async function vectorsOf(fresh: readonly Unembedded[], embedder: Embedder): Promise<readonly NewVector[]> {
  const texts = fresh.map(({ text }) => text.slice(0, chars))
  const telling = (await mapSlowly(texts, (text, i) => (tellingIn(text) === '' ? [] : [i]))).flat()
  const made = telling.length > 0 ? await embedder.embed(telling.map((i) => texts[i] as string)) : []
  const vectors = new Map(telling.map((i, at) => [i, made[at]]))
  return fresh.map(({ conversation, seq }, i) => ({ conversation, seq, vector: vectors.get(i) ?? new Float32Array() }))
}
