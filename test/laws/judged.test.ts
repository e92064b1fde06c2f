/** Damaged histories, every preset, every server: neither our own rules nor a judge who never saw them refuses a window. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProfileName } from '../../src/core/message/target.js'
import { check } from '../../src/core/rules/check.js'
import { assemble, type PresetName, presets, type Target } from '../../src/index.js'
import { type JudgeProvider, judge } from '../../src/testing/judge/index.js'
import { deep, runs } from '../runs.js'
import { histories } from './histories.js'
import { acceptable, presetNames } from './trial.js'

interface Server {
  readonly target: Target
  readonly model: string
  readonly provider: JudgeProvider
  readonly profile?: ProfileName
  readonly baseUrl?: string
  readonly more?: Readonly<Record<string, unknown>>
}

const claude = (model: string, thinking?: object): Server => ({
  target: 'anthropic',
  model,
  provider: 'anthropic',
  more: { max_tokens: 4_000, ...(thinking && { thinking }) },
})
const chat = (model: string, provider: JudgeProvider, profile?: ProfileName): Server => ({
  target: 'openai-chat',
  model,
  provider,
  ...(profile && { profile }),
})

const servers: readonly Server[] = [
  chat('gpt-4o', 'openai-chat'),
  { target: 'openai-responses', model: 'gpt-5.5', provider: 'openai-responses', more: { store: false } },
  claude('claude-sonnet-4-5'),
  claude('claude-sonnet-4-5', { type: 'enabled', budget_tokens: 1_024 }),
  claude('claude-opus-4-6', { type: 'adaptive' }),
  claude('claude-opus-4-8', { type: 'adaptive' }),
  claude('claude-opus-5-5', { type: 'adaptive' }),
  { ...claude('claude-opus-4-6'), provider: 'bedrock', profile: 'bedrock' },
  { target: 'google', model: 'gemini-2.5-pro', provider: 'gemini' },
  { target: 'google', model: 'gemini-3-pro', provider: 'gemini' },
  chat('deepseek-v4', 'deepseek'),
  { target: 'anthropic', model: 'deepseek-v4', provider: 'deepseek', profile: 'deepseek' },
  chat('mistral-large-latest', 'mistral'),
  chat('kimi-k2.6', 'moonshot'),
  chat('qwen3.6-32b', 'dashscope', 'dashscope'),
  chat('qwen3.6-32b', 'vllm', 'vllm'),
  chat('mistral-7b-instruct', 'vllm', 'vllm'),
  chat('qwen3.6-32b', 'llama.cpp', 'llama.cpp'),
  chat('qwen3.6-32b', 'ollama', 'ollama'),
  chat('openai/gpt-oss-120b', 'groq', 'groq'),
  chat('qwen3.6-32b', 'lmstudio', 'lmstudio'),
  chat('openai/gpt-4o', 'openrouter', 'openrouter'),
  chat('gemma-2-9b-it', 'vllm', 'strict'),
  {
    target: 'openai-responses',
    model: 'gpt-5.5',
    provider: 'openai-responses',
    profile: 'copilot',
    baseUrl: 'https://api.githubcopilot.com',
    more: { store: false },
  },
]

interface Try {
  readonly messages: readonly unknown[]
  readonly preset: PresetName
  readonly server: Server
  readonly budget: number | undefined
}

/** Why a window would be refused, by either judge; nothing when no window could be made. */
function refusals({ messages, preset, server, budget }: Try): readonly string[] | undefined {
  const { target, model, provider, profile, baseUrl, more } = server
  const thinking = target === 'anthropic' && more ? 'thinking' in more : undefined
  const made = assemble({ messages: acceptable(messages, presets[preset]), current: 'And now?' }, preset, {
    target,
    model,
    ...(profile && { profile }),
    ...(budget === undefined ? null : { budget }),
    ...(thinking === undefined ? null : { thinking }),
  })
  if (!made.ok) return undefined
  const body = { ...(target === 'google' ? {} : { model }), ...more, ...(made.rendered as object) }
  const named = `${provider} ${model} ${preset}, budget ${budget ?? 'of the policy'}`
  return [
    ...check(target, body, { model, ...(profile && { profile }) }).map(
      (found) => `${named}: ${found.rule} ${found.path}`,
    ),
    ...judge({ provider, model, body, ...(baseUrl && { baseUrl }) }).map(
      (found) => `${named}: judge ${found.rule} ${found.path} ${found.message}`,
    ),
  ]
}

/** From the whole history to hardly more than the message to answer. */
const budgets: readonly (number | undefined)[] = [undefined, 4_000, 800, 200]

/** In a deep run every history meets every preset at every server; else one preset, which turns. */
const presetsAt = (turn: number): readonly PresetName[] =>
  deep ? presetNames : [presetNames[turn % presetNames.length] as PresetName]

test('no window of a damaged history is refused, under any preset, by any server, by either judge [P-07]', () => {
  const seen = { histories: 0, windows: 0, unmade: 0 }
  fc.assert(
    fc.property(histories, fc.nat(10_000), ({ messages }, turn) => {
      seen.histories++
      servers.forEach((server, i) => {
        const own = messages.map((message) => signed(message, server.model))
        presetsAt(turn + i).forEach((preset, k) => {
          const budget = budgets[(turn + i + k) % budgets.length]
          const found = refusals({ messages: own, preset, server, budget })
          if (found) seen.windows++
          else seen.unmade++
          if (found && found.length > 0) expect(found).toEqual([])
        })
      })
    }),
    { numRuns: deep ? runs : Math.max(10, Math.floor(runs / 10)), endOnFailure: true },
  )
  if (deep) console.log(`judged: ${JSON.stringify(seen)}`)
  expect(seen.windows).toBeGreaterThan(seen.unmade)
})

/** What does not say which model made it was made by the one that is asked. */
const signed = (message: unknown, model: string): unknown =>
  typeof message === 'object' && message !== null && !Array.isArray(message) && !('model' in message)
    ? { ...message, model }
    : message

test('both judges notice a history that was sent as it is', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'Look it up' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'user', content: 'Well?' },
  ]
  expect(check('openai-chat', { messages }).map(({ rule }) => rule)).toContain('tool.result.missing')
  expect(judge({ provider: 'openai-chat', model: 'gpt-4o', body: { model: 'gpt-4o', messages } })).not.toEqual([])
})
