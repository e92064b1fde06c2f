import { expect, test } from 'vitest'
import { catalog, findModel } from './models.js'

test.each([
  ['gpt-5.2-2025-12-11', 'o200k', 400_000],
  ['gpt-5.4', 'o200k', 1_050_000],
  ['gpt-5.4-mini', 'o200k', 400_000],
  ['gpt-5-chat-latest', 'o200k', 128_000],
  ['openai/gpt-4o-mini-2024-07-18', 'o200k', 128_000],
  ['chatgpt-4o-latest', 'o200k', 128_000],
  ['gpt-4.1-nano', 'o200k', 1_047_576],
  ['o3-mini', 'o200k', 200_000],
  ['openai:o1', 'o200k', 200_000],
  ['gpt-4-turbo-2024-04-09', 'cl100k', 128_000],
  ['gpt-4-0613', 'cl100k', 8_192],
  ['gpt-3.5-turbo', 'cl100k', 16_385],
  ['anthropic:claude-3-5-sonnet-20241022', 'claude', 200_000],
  ['anthropic/claude-opus-4.1', 'claude', 200_000],
  ['claude-sonnet-4-20250514', 'claude', 200_000],
  ['claude-haiku-4-5-20251001', 'claude', 200_000],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude', 200_000],
  ['claude-opus-4-6', 'claude', 1_000_000],
  ['claude-opus-5', 'claude', 1_000_000],
  ['models/gemini-1.5-pro', 'gemini', 2_097_152],
  ['google/gemini-2.5-flash', 'gemini', 1_048_576],
  ['gemini-3-pro-preview', 'gemini', 1_048_576],
  ['llama3.2:3b', 'llama', 131_072],
  ['llama3:8b', 'llama', 8_192],
  ['meta-llama/Llama-3.3-70B-Instruct', 'llama', 131_072],
  ['openrouter/mistralai/mistral-large-2411', 'mistral', 128_000],
  ['mixtral:8x7b', 'mistral', 32_768],
  ['qwen2.5-coder:7b', 'qwen', 32_768],
  ['Qwen/Qwen3-235B-A22B', 'qwen', 40_960],
  ['deepseek-chat', 'deepseek', 128_000],
])('%s is of the family %s and holds %i tokens', (id, family, window) => {
  expect(findModel(id)).toMatchObject({ id, family, window, source: 'catalog' })
})

test('a model no one knows is assumed to be as large as nearly all are, and of the dearest family', () => {
  expect(findModel('acme-9000')).toEqual({
    id: 'acme-9000',
    provider: 'unknown',
    family: 'unknown',
    window: 128_000,
    output: 8_192,
    scale: 1,
    source: 'assumed',
  })
})

test('rows of the caller go before the catalog', () => {
  const extra = [{ match: 'gpt-4o', provider: 'acme', family: 'qwen', window: 10, output: 5 }] as const
  expect(findModel('gpt-4o', extra)).toMatchObject({ provider: 'acme', window: 10, source: 'catalog' })
  expect(findModel('gpt-4.1', extra)).toMatchObject({ provider: 'openai' })
})

test('models with the tokenizer of Opus 4.7 are scaled up, those before are not', () => {
  expect(findModel('claude-opus-4-7').scale).toBe(1.35)
  expect(findModel('claude-sonnet-5').scale).toBe(1.35)
  expect(findModel('claude-opus-4-5').scale).toBe(1)
})

test('every row is a valid expression and answers fit into their window', () => {
  for (const row of catalog) {
    expect(() => new RegExp(row.match)).not.toThrow()
    expect(row.output).toBeLessThanOrEqual(row.window)
  }
})
