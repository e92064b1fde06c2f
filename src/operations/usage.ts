/** What a workspace used. */

import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import type { Store } from '../store/contract/store.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { invalidInput } from './refusals.js'
import { id } from './shapes/common.js'
import { count, dayMs, dayOf, recent, type UsageSpan, usageFigures, usageIn } from './usage-table.js'

const date = z.iso.date()

const usageSchema = z
  .object({
    from: date,
    to: date,
    ...usageFigures,
    outcome: z
      .object({
        ratings: count,
        up: count,
        down: count,
        by_length: z.array(z.object({ up_to: count.nullable(), ratings: count, average: z.number() })),
      })
      .describe('Ratings against the number of messages that the answer was in'),
  })
  .meta({ id: 'Usage', description: 'What was sent, left out, saved and paid' })

const usualDays = 30
const mostDays = 400

export const getUsage = operation({
  name: 'usage.get',
  summary: 'Messages, tokens, cost and outcome, by day and by conversation',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    from: date.optional().describe(`A day; ${usualDays} days back when left out`),
    to: date.optional().describe('A day, inclusive; today when left out'),
    conversation_id: id.optional().describe('Only this conversation'),
  }),
  output: usageSchema,
  run: async (context, { conversation_id: conversation, ...asked }) => {
    const { store, workspace, env } = context
    const { to = env.now().slice(0, 10) } = asked
    const { from = dayOf(Date.parse(to) - usualDays * dayMs) } = asked
    const days = (Date.parse(to) - Date.parse(from)) / dayMs
    if (days < 0 || days > mostDays) throw invalidInput('from', `must be 0 to ${mostDays} days before to`)
    if (conversation !== undefined) await findConversation(context, conversation)
    const span = defined<UsageSpan>({ from, to, conversation })
    const [table, outcome] = await Promise.all([usageIn(store, workspace, span), outcomeOf(store, workspace, span)])
    return { from, to, ...table, outcome }
  },
})

// ratings against the length of the conversation they were given in: do long ones go wrong?

type Outcome = z.output<typeof usageSchema.shape.outcome>

const bounds = [2, 5, 10, 20, 50, 100, null] as const
/** Ratings that are looked at, the newest first. */
const most = 1_000

async function outcomeOf(store: Store, workspace: string, span: UsageSpan): Promise<Outcome> {
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
