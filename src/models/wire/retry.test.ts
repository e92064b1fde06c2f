import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../../testing/scripted-model.js'
import { drain, requestFor, wordsOf } from '../models.fixture.js'
import { ModelError, type ModelErrorCode } from './contract.js'
import { type RetryRule, retrying } from './retry.js'
import { retryAfterOf } from './retry-after.js'

const fail = (code: ModelErrorCode, more: { readonly retryAfterMs?: number } = {}) => new ModelError(code, code, more)

function rule(more: Partial<RetryRule> = {}): RetryRule & { readonly waits: number[] } {
  const waits: number[] = []
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms)
  }
  return { attempts: 3, baseMs: 100, capMs: 1_000, random: () => 1, sleep, ...more, waits }
}

describe('retries', () => {
  test.each(['rate_limited', 'overloaded', 'server_error', 'unreachable', 'cut', 'silent', 'garbled'] as const)(
    '%s before the first word is tried again',
    async (code) => {
      const model = scriptedModel([fail(code), fail(code), 'at last'])
      const used = rule()
      const { events, error } = await drain(retrying(model, used).stream(requestFor(model)))
      expect(error).toBeNull()
      expect(wordsOf(events)).toBe('at last')
      expect(events.slice(0, 2)).toEqual([
        { type: 'retry', attempt: 1, waitMs: 100, code },
        { type: 'retry', attempt: 2, waitMs: 200, code },
      ])
      expect(used.waits).toEqual([100, 200])
      expect(model.requests).toHaveLength(3)
    },
  )

  test.each(['overflow', 'unauthorized', 'refused', 'too_long', 'unknown_model'] as const)(
    '%s is final',
    async (code) => {
      const model = scriptedModel([fail(code), 'never'])
      const { events, error } = await drain(retrying(model, rule()).stream(requestFor(model)))
      expect(error).toMatchObject({ code })
      expect(events).toEqual([])
    },
  )

  test.each(['cut', 'overloaded', 'silent', 'garbled'] as const)('%s after a word is final', async (code) => {
    const model = scriptedModel([[{ type: 'text', text: 'half an ' }, fail(code)], 'never'])
    const { events, error } = await drain(retrying(model, rule()).stream(requestFor(model)))
    expect(error).toMatchObject({ code })
    expect(wordsOf(events)).toBe('half an ')
    expect(model.requests).toHaveLength(1)
  })

  test('after the last attempt the fault is told', async () => {
    const model = scriptedModel([fail('overloaded'), fail('overloaded'), fail('overloaded'), 'never'])
    const { error } = await drain(retrying(model, rule()).stream(requestFor(model)))
    expect(error).toMatchObject({ code: 'overloaded' })
    expect(model.requests).toHaveLength(3)
  })

  test('a provider is waited for as long as it asks, up to the cap', async () => {
    const model = scriptedModel([fail('rate_limited', { retryAfterMs: 900 }), 'ok'])
    const used = rule()
    await drain(retrying(model, used).stream(requestFor(model)))
    expect(used.waits).toEqual([900])
  })

  test('a wait beyond the cap is told instead of waited', async () => {
    const model = scriptedModel([fail('rate_limited', { retryAfterMs: 60_000 }), 'never'])
    const used = rule()
    const { error } = await drain(retrying(model, used).stream(requestFor(model)))
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 })
    expect(used.waits).toEqual([])
  })

  test('waits differ, and none is longer than the cap', async () => {
    const model = scriptedModel(Array.from({ length: 9 }, () => fail('overloaded')))
    const used = rule({ attempts: 8, random: () => 0 })
    await drain(retrying(model, used).stream(requestFor(model)))
    expect(used.waits).toEqual([50, 100, 200, 400, 500, 500, 500])
  })

  test('an abort ends the wait', async () => {
    const stop = new AbortController()
    const model = scriptedModel([fail('overloaded'), 'never'])
    const sleep = (_: number, signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('woken'))))
    const stream = retrying(model, rule({ sleep })).stream(requestFor(model, {}, { signal: stop.signal }))
    setTimeout(() => stop.abort(), 10)
    expect((await drain(stream)).error).toMatchObject({ name: 'AbortError' })
  })
})

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Thu, 01 Jan 2015 00:01:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('%o asks for %s ms', (headers, wanted) => {
  expect(retryAfterOf(new Headers(headers as Record<string, string>), Date.parse('2026-01-01T00:00:00Z'))).toBe(wanted)
})
