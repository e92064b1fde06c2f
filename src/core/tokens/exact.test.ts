import { readFileSync } from 'node:fs'
import { Tokenizer } from 'ai-tokenizer'
import * as cl100kTable from 'ai-tokenizer/encoding/cl100k_base'
import * as claudeTable from 'ai-tokenizer/encoding/claude'
import * as o200kTable from 'ai-tokenizer/encoding/o200k_base'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test, vi } from 'vitest'
import { counters } from './counters.js'
import { loadCounter, namedCounter } from './exact.js'

const natural = [
  'The committee met on Tuesday to discuss the plan; nobody agreed.\n\n  - first\n  - second\n',
  'function f(a, b) {\n\treturn a ?? b // 42\n}\n'.repeat(40),
  '昨天晚上雨下得很大，整个街区都停电了，孩子们围坐在烛光下听老人讲故事。'.repeat(30),
  'Вчера вечером мы долго спорили о том, следует ли переписывать программу. '.repeat(20),
  '👩‍👩‍👧‍👦 👍🏽 naïve café — “quoted” … 1,234.56 €',
]

test('the exact count equals the tokenizer’s own on natural text', async () => {
  const first = await loadCounter('gpt-4o')
  const second = await loadCounter('gpt-4-turbo')
  for (const text of natural) {
    expect(first.count(text)).toBe(o200k(text))
    expect(second.count(text)).toBe(cl100k(text))
  }
  expect(first).toMatchObject({ name: 'o200k_base', exact: true })
  expect(second).toMatchObject({ name: 'cl100k_base', exact: true })
})

test('text that looks like a special token is counted as text', async () => {
  const { count } = await loadCounter('o200k')
  expect(count('<|endoftext|>')).toBeGreaterThan(3)
})

test('an unbroken run of any class is cut, so that counting ends, and costs about the same', async () => {
  const { count } = await loadCounter('o200k')
  const short = count('a'.repeat(400))
  expect(count('a'.repeat(100_000))).toBe(short * 250)
  for (const run of ['ab', '中', '!', '𝔸', ' ', '\n', 'é']) {
    const one = count(run.repeat(1_000))
    expect(Math.abs(count(run.repeat(20_000)) - one * 20)).toBeLessThan(40)
  }
})

test('a cut never splits a surrogate pair', async () => {
  const { count } = await loadCounter('o200k')
  expect(count(`x${'𝔸'.repeat(1_000)}`)).toBeLessThanOrEqual(count('𝔸') * 1_000 + 1)
})

test('lone surrogates count as U+FFFD', async () => {
  const { count } = await loadCounter('o200k')
  expect(count('a\ud800b')).toBe(count('a\ufffdb'))
})

test('a family without a table of its own is counted by the nearest one, one that nobody knows by its estimate', async () => {
  expect(await loadCounter('claude-3-5-sonnet')).toMatchObject({ name: 'claude by cl100k x1.265', exact: false })
  expect(await loadCounter('claude-opus-4-8')).toMatchObject({ name: 'claude by cl100k x1.708', exact: false })
  expect(await loadCounter('acme-9000')).toMatchObject({ name: 'estimate:unknown', exact: false })
})

const tokenizers = {
  cl100k: new Tokenizer(cl100kTable),
  claude: new Tokenizer(claudeTable),
  o200k: new Tokenizer(o200kTable),
}
/** What `ai-tokenizer` takes each family for. */
const alike = {
  claude: ['claude', 1.1],
  llama: ['claude', 1.1],
  gemini: ['o200k', 1.08],
  mistral: ['cl100k', 1],
  qwen: ['cl100k', 1],
  deepseek: ['o200k', 1],
} as const
const kinds = {
  prose: readFileSync(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8').slice(0, 2_000),
  code: readFileSync(new URL('./table.ts', import.meta.url), 'utf8').slice(0, 2_000),
  JSON: JSON.stringify(
    Array.from({ length: 30 }, (_, n) => ({ id: n * 37, path: `src/cart/${n}.ts`, open: n % 2 === 0 })),
  ),
  CJK: '昨天晚上雨下得很大，整个街区都停电了。昨日の夜は雨がひどくて、町中が停電になりました。어젯밤에는 비가 너무 많이 왔다. '.repeat(
    9,
  ),
}

test.each(Object.entries(alike))(
  '%s is counted on prose, code, JSON and CJK: not below the truth, and within 15 percent of it',
  async (family, [table, times]) => {
    const counter = await loadCounter(family)
    for (const [kind, text] of Object.entries(kinds)) {
      const ratio = counter.count(text) / (tokenizers[table].encode(text, [], []).length * times)
      expect(ratio, kind).toBeGreaterThanOrEqual(1)
      expect(ratio, kind).toBeLessThanOrEqual(1.15)
    }
  },
)

test('the counter that a receipt names is found again, and a caller’s own is not', async () => {
  for (const one of [
    await loadCounter('gpt-4o'),
    await loadCounter('claude-opus-4-8'),
    await loadCounter('qwen3-max'),
    counters.forModel('claude-opus-4-8'),
  ]) {
    const found = await namedCounter(one.name)
    expect(found).toMatchObject({ name: one.name, exact: one.exact })
    for (const text of Object.values(kinds)) expect(found?.count(text)).toBe(one.count(text))
  }
  for (const name of ['one per char', 'chars/4', 'acme by cl100k x2', 'estimate:acme', ''])
    expect(await namedCounter(name)).toBeUndefined()
})

test('a missing tokenizer package resolves to the estimate', async () => {
  vi.doMock('gpt-tokenizer/encoding/o200k_base', () => {
    throw new Error('not installed')
  })
  vi.resetModules()
  const fresh = await import('./exact.js')
  expect(await fresh.loadCounter('gpt-4o')).toMatchObject({ name: 'estimate:o200k', exact: false })
  vi.doUnmock('gpt-tokenizer/encoding/o200k_base')
})

test('counters gather every way to count, and a model gets its estimate at once', () => {
  expect(counters.forModel('gpt-4o').name).toBe('estimate:o200k')
  expect(counters.forModel('claude-opus-4-8').name).toBe('estimate:claude x1.35')
  expect(counters.charsPer4.count('𝔸'.repeat(9))).toBe(2)
  expect(counters.all).toContain('o200k_base')
  expect(counters.all).toContain('estimate:unknown')
})

test('an exact counter that cannot be had is refused, and the best one is an estimate', async () => {
  await expect(counters.exact('claude-sonnet-4-5')).rejects.toMatchObject({
    code: 'counter.inexact',
    issues: [{ value: 'claude-sonnet-4-5', suggestion: expect.stringContaining('counters.best') }],
  })
  expect(await counters.best('claude-sonnet-4-5')).toMatchObject({ exact: false })
  expect(await counters.exact('gpt-4o')).toMatchObject({ name: 'o200k_base', exact: true })
  expect(await counters.best('gpt-4o')).toMatchObject({ name: 'o200k_base', exact: true })
})
