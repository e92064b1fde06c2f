import type { Kin } from './kin.js'

/** Turns texts into vectors of length one; any provider can be one. */
export interface Embedder {
  /** Vectors of different models are never compared. */
  readonly model: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
  /** Words of like meaning; only a table of words knows them. */
  readonly kin?: Kin
}

/** The name under which its vectors are kept: those of another model, or of another length, are never taken for its own. */
export const versionOf = ({ model }: Pick<Embedder, 'model'>, { length }: Float32Array): string =>
  `${model.slice(0, 180)}/${length}`

export function dot(one: Float32Array, other: Float32Array | Int8Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 ? vector.map((value) => value / length) : vector
}
