/** What is known of the models: which tokenizer they use and how much fits. */
import type { Family } from './family.js'

export type { Family } from './family.js'

/** A row of the model catalog; give your own in `models` for what it does not know. */
export interface ModelRow {
  /** The beginning of the model's bare id, as a regular expression; the first row that matches wins. */
  readonly match: string
  readonly provider: string
  readonly family: Family
  /** Tokens of input and output together. */
  readonly window: number
  /** Most tokens of one answer. */
  readonly output: number
  /** How many tokens the model counts for one token of its family, when it is known to count more. */
  readonly scale?: number
  /** Nobody knows how large the window is: receipts say that it is assumed. */
  readonly assumed?: boolean
}

/** What is known of a model: its window, its answer's limit, how it counts. */
export interface ModelFacts {
  /** As asked for. */
  readonly id: string
  readonly provider: string
  readonly family: Family
  readonly window: number
  readonly output: number
  readonly scale: number
  /** `assumed` when no row matched, `given` when the caller said how large its window is. */
  readonly source: 'catalog' | 'assumed' | 'given'
}

/** The facts of a model; rows of the caller go before the catalog. @example findModel('claude-sonnet-4-5').window */
export function findModel(id: string, extra: readonly ModelRow[] = []): ModelFacts {
  if (extra.length > 0) return match(id, extra)
  const facts = asked.get(id) ?? match(id, extra)
  if (asked.size < 1_000) asked.set(id, facts)
  return facts
}

/** Of a model that no one knows, and where none is named: nearly all of today have this much or more. */
export const assumedWindow = 128_000

/** What was found in the catalog before. */
const asked = /* @__PURE__ */ new Map<string, ModelFacts>()

function match(id: string, extra: readonly ModelRow[]): ModelFacts {
  const bare = bareId(id)
  const fits = (row: ModelRow) => new RegExp(`^(?:${row.match})`).test(bare)
  const row = extra.find(fits) ?? catalog.find(fits)
  if (!row)
    return {
      id,
      provider: 'unknown',
      family: 'unknown',
      window: assumedWindow,
      output: 8_192,
      scale: 1,
      source: 'assumed',
    }
  const { provider, family, window, output, scale = 1, assumed = false } = row
  return { id, provider, family, window, output, scale, source: assumed ? 'assumed' : 'catalog' }
}

const vendors =
  'openai|azure|anthropic|google|gemini|vertex_ai|meta|meta-llama|mistral|mistralai|qwen|alibaba|deepseek|deepseek-ai|models'

/** `openrouter/anthropic/claude-x`, `openai:gpt-x`, `us.anthropic.claude-x`, `models/gemini-x`: the last name alone. */
function bareId(id: string): string {
  const name = id.trim().toLowerCase().replace(/^.*\//, '')
  return name.replace(/^(?:(?:us|eu|apac|global)\.)?/, '').replace(new RegExp(`^(?:(?:${vendors})[.:])+`), '')
}

type Known = readonly [match: string, window: number, output: number, scale?: number]

const rowsOf = (provider: string, family: Family, known: readonly Known[]): readonly ModelRow[] =>
  known.map(([match, window, output, scale]) => ({ match, provider, family, window, output, ...(scale && { scale }) }))

/** Anthropic says of the tokenizer that came with Opus 4.7: up to 1.35 times the tokens of the one before. */
const recent = 1.35

/** As the providers published them up to August 2026; where sources differ, the smaller number. */
export const catalog: readonly ModelRow[] = [
  ...rowsOf('openai', 'o200k', [
    ['gpt-5(?:\\.\\d+)?-chat', 128_000, 16_384],
    ['gpt-5\\.[45](?!-(?:mini|nano))', 1_050_000, 128_000],
    ['gpt-5', 400_000, 128_000],
    ['gpt-oss', 131_072, 32_768],
    ['gpt-4\\.1', 1_047_576, 32_768],
    ['gpt-4\\.5', 128_000, 16_384],
    ['(?:chat)?gpt-4o', 128_000, 16_384],
    ['o1-(?:mini|preview)', 128_000, 32_768],
    ['o[1-9](?:-|$)', 200_000, 100_000],
    ['codex-mini', 200_000, 100_000],
  ]),
  ...rowsOf('openai', 'cl100k', [
    ['gpt-4-(?:turbo|1106|0125|vision)', 128_000, 4_096],
    ['gpt-4-32k', 32_768, 8_192],
    ['gpt-4', 8_192, 8_192],
    ['gpt-3\\.5-turbo-instruct', 4_096, 4_096],
    ['gpt-3\\.?5', 16_385, 4_096],
  ]),
  ...rowsOf('anthropic', 'claude', [
    ['claude-(?:opus|sonnet|haiku)-4[-.][0-5](?:\\D|$)|claude-(?:opus|sonnet)-4(?:-\\d{8}|@|$)', 200_000, 32_000],
    ['claude-(?:opus|sonnet)-4[-.]6', 1_000_000, 64_000],
    ['claude-[a-z]+-(?:4[-.][7-9]|[5-9])', 1_000_000, 128_000, recent],
    ['claude-3[-.]7', 200_000, 64_000],
    ['claude-3[-.]5', 200_000, 8_192],
    ['claude-3', 200_000, 4_096],
    ['claude-(?:2|instant)', 100_000, 4_096],
    ['claude', 200_000, 8_192, recent],
  ]),
  ...rowsOf('google', 'gemini', [
    ['gemini-1\\.5-pro', 2_097_152, 8_192],
    ['gemini-(?:1\\.5|2\\.0)', 1_048_576, 8_192],
    ['gemini-(?:1\\.0|pro)', 32_760, 2_048],
    ['gemini', 1_048_576, 65_536],
    ['gemma-?[34]', 131_072, 8_192],
    ['gemma', 8_192, 8_192],
  ]),
  ...rowsOf('meta', 'llama', [
    ['(?:meta-)?llama-?4', 131_072, 8_192],
    ['(?:meta-)?llama-?3[-.][1-9]', 131_072, 8_192],
    ['(?:meta-)?llama-?3', 8_192, 4_096],
  ]),
  ...rowsOf('meta', 'unknown', [['(?:meta-|code)?llama-?2?', 4_096, 4_096]]),
  ...rowsOf('mistral', 'mistral', [
    ['codestral', 256_000, 8_192],
    ['(?:ministral|devstral|magistral|pixtral|mistral-(?:large|medium|nemo|small))', 128_000, 8_192],
    ['(?:open-)?mixtral-8x22b', 65_536, 8_192],
    ['(?:open-)?mi[sx]tral', 32_768, 8_192],
  ]),
  ...rowsOf('alibaba', 'qwen', [
    ['qwen-?3-(?:coder|max|next)|qwen3\\.[5-9]', 262_144, 32_768],
    ['qwen-?3', 40_960, 16_384],
    ['qw(?:en|q)', 32_768, 8_192],
  ]),
  ...rowsOf('deepseek', 'qwen', [['deepseek-r1-distill-qwen', 131_072, 16_384]]),
  ...rowsOf('deepseek', 'llama', [['deepseek-r1-distill-llama', 131_072, 16_384]]),
  ...rowsOf('deepseek', 'deepseek', [['deepseek', 128_000, 8_192]]),
]
