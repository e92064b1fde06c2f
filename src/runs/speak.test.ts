import { describe, expect, test } from 'vitest'
import type { ModelEvent } from '../models/wire/contract.js'
import { finish, stage } from './runs.fixture.js'

const pause = () => new Promise((resolve) => setTimeout(resolve, 40))

/** Each of them by itself, so that it is written by itself. */
const inPieces = (...events: readonly ModelEvent[]) =>
  stage(async function* () {
    for (const event of events) {
      yield event
      await pause()
    }
    yield finish
  })

const whole = (value: unknown): boolean => !/\\ud[89a-f]|\\u0000/.test(JSON.stringify(value))

describe('what no store can hold', () => {
  test('halves of a character are told as one', async () => {
    const { say, texts, events } = inPieces(
      { type: 'think', text: 'b\ud83d' },
      { type: 'think', text: '\ude00d' },
      { type: 'text', text: 'a\ud83d' },
      { type: 'text', text: '\ude00c' },
    )
    expect((await say('Hello')).state).toBe('done')
    expect((await texts()).at(-1)).toBe('a😀c')
    const told = (await events()).filter(({ type }) => type === 'text-delta')
    expect(told.map(({ data }) => (data as { text: string }).text)).toEqual(['a', '😀c'])
    expect(whole(await events())).toBe(true)
  })

  test('half a character that stays alone, and NUL, are replaced', async () => {
    const { say, texts } = inPieces({ type: 'text', text: 'a\0b\ude00' }, { type: 'text', text: 'c\ud83d' })
    expect((await say('Hello')).state).toBe('done')
    expect((await texts()).at(-1)).toBe('a\ufffdb\ufffdc\ufffd')
  })

  test('a call is made with what can be held of it', async () => {
    const { say, path, events } = inPieces(
      { type: 'call-start', id: 'x', name: 'f\ud83d' },
      { type: 'call-delta', id: 'x', json: '{"a":"\ud83d' },
      { type: 'call-delta', id: 'x', json: '\ude00"}' },
      { type: 'call', id: 'x', name: 'f\ud83d', input: { 'a\0': ['\ude00', { b: 1 }] } },
    )
    expect((await say('Hello')).state).toBe('done')
    const call = { type: 'call', name: 'f\ufffd', input: { 'a\ufffd': ['\ufffd', { b: 1 }] } }
    expect((await path()).at(-1)?.body).toMatchObject({ parts: [call] })
    expect(whole(await events())).toBe(true)
  })
})
