/** What a text means, as vectors, for stores that were given a model for it. */
import { getTextAtPath, type IndexConfig } from '@langchain/langgraph-checkpoint'

/** The vectors of the fields that are to be found; none when nothing is. */
export async function vectorsOf(
  { embeddings, fields = ['$'] }: IndexConfig,
  value: Readonly<Record<string, unknown>>,
  asked: false | readonly string[] | undefined,
): Promise<number[][]> {
  if (asked === false) return []
  const texts = (asked ?? fields).flatMap((field) => getTextAtPath(value, field))
  return texts.length === 0 ? [] : embeddings.embedDocuments(texts)
}

/** How near the nearest of the vectors is; undefined when there are none. */
export const vectorNearness = (vectors: readonly (readonly number[])[], to: readonly number[]): number | undefined =>
  vectors.length === 0 ? undefined : Math.max(...vectors.map((vector) => cosine(vector, to)))

function cosine(one: readonly number[], other: readonly number[]): number {
  const size = Math.sqrt(dot(one, one) * dot(other, other))
  return size === 0 ? 0 : dot(one, other) / size
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, number, i) => sum + number * (other[i] ?? 0), 0)
