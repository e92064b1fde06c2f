/** What models cost, as their makers published it. */
import type { Usage } from './wire/contract.js'

/** When the table was last compared with the makers' pages. */
export const pricesAsOf = '2025-11'

export interface Price {
  /** The whole name of the model; a date at its end does not matter. */
  readonly match: RegExp
  /** US dollars per million tokens. */
  readonly input: number
  readonly output: number
  readonly cached: number
  /** Beyond so many tokens of input another price holds, which is not in the table. */
  readonly upTo?: number
}

const dated = '(?:-latest|-\\d{8}|-\\d{4}-\\d{2}-\\d{2})?'

const price = (name: string, input: number, output: number, cached: number, upTo?: number): Price => ({
  match: new RegExp(`^(?:${name})${dated}$`),
  input,
  output,
  cached,
  ...(upTo === undefined ? null : { upTo }),
})

const table: readonly Price[] = [
  price('anthropic/claude-opus-4-5', 5, 25, 0.5),
  price('anthropic/claude-opus-4(?:-1|-0)?', 15, 75, 1.5),
  price('anthropic/claude-sonnet-4(?:-5|-0)?', 3, 15, 0.3, 200_000),
  price('anthropic/claude-haiku-4-5', 1, 5, 0.1),
  price('anthropic/claude-3-5-haiku', 0.8, 4, 0.08),
  price('openai/gpt-5(?:\\.1)?', 1.25, 10, 0.125),
  price('openai/gpt-5-mini', 0.25, 2, 0.025),
  price('openai/gpt-5-nano', 0.05, 0.4, 0.005),
  price('openai/gpt-4\\.1', 2, 8, 0.5),
  price('openai/gpt-4\\.1-mini', 0.4, 1.6, 0.1),
  price('openai/gpt-4\\.1-nano', 0.1, 0.4, 0.025),
  price('openai/gpt-4o', 2.5, 10, 1.25),
  price('openai/gpt-4o-mini', 0.15, 0.6, 0.075),
  price('openai/o3', 2, 8, 0.5),
  price('openai/o4-mini', 1.1, 4.4, 0.275),
  price('google/gemini-2\\.5-pro', 1.25, 10, 0.125, 200_000),
  price('google/gemini-2\\.5-flash', 0.3, 2.5, 0.03),
  price('google/gemini-2\\.5-flash-lite', 0.1, 0.4, 0.01),
]

/** In US dollars; nothing for what runs on this machine, null for what is not in the table. @example costOf(model, { input: 1_200, output: 300 }) */
export function costOf(model: { readonly id: string; readonly kind: string }, usage: Usage): number | null {
  if (model.kind !== 'hosted') return 0
  const row = priceOf(model.id)
  if (!row || usage.input > (row.upTo ?? Number.POSITIVE_INFINITY)) return null
  const cached = Math.min(usage.cached ?? 0, usage.input)
  return ((usage.input - cached) * row.input + cached * row.cached + usage.output * row.output) / 1_000_000
}

/** As in `$3 / $15 per million tokens (2025-11)`. */
export function priceNote(id: string): string | undefined {
  const row = priceOf(id)
  return row && `$${row.input} / $${row.output} per million tokens (${pricesAsOf})`
}

/** The row of a model, if the table has one. */
export const priceOf = (id: string): Price | undefined => table.find(({ match }) => match.test(id.toLowerCase()))
