/** Ratings against the length of the conversation they were given in: do long ones go wrong? */
import type { Store } from '../store/contract/store.js'
import { recent, type UsageSpan } from './usage-table.js'

interface Outcome {
  readonly ratings: number
  readonly up: number
  readonly down: number
  /** By how many messages the rated answer was in. */
  readonly by_length: readonly { readonly up_to: number | null; readonly ratings: number; readonly average: number }[]
}

const bounds = [2, 5, 10, 20, 50, 100, null] as const
/** Ratings that are looked at, the newest first. */
const most = 1_000

export async function outcomeOf(store: Store, workspace: string, span: UsageSpan): Promise<Outcome> {
  const rated: { readonly value: number; readonly length: number }[] = []
  for await (const { body, conversation, updatedAt } of recent(store, workspace, 'rating', span)) {
    if (rated.length >= most) break
    const day = updatedAt.slice(0, 10)
    if (conversation === null || day < span.from || day > span.to) continue
    const { entry, value } = body as { readonly entry: string; readonly value: number }
    const answer = await store.entry(workspace, conversation, entry)
    if (answer) rated.push({ value, length: answer.depth + 1 })
  }
  return {
    ratings: rated.length,
    up: rated.filter(({ value }) => value > 0).length,
    down: rated.filter(({ value }) => value < 0).length,
    by_length: bounds.flatMap((upTo, i) => {
      const above = i === 0 ? 0 : (bounds[i - 1] as number)
      const values = rated.filter(({ length }) => length > above && (upTo === null || length <= upTo))
      if (values.length === 0) return []
      const total = values.reduce((sum, { value }) => sum + value, 0)
      return [{ up_to: upTo, ratings: values.length, average: Math.round((total / values.length) * 1_000) / 1_000 }]
    }),
  }
}
