import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from './sweep.js'

test('waiting over and over leaves no listener behind, and an end ends it [C-15]', async () => {
  const ending = new AbortController()
  for (let turn = 0; turn < 20; turn++) await pause(0, ending.signal)
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0)
  const waiting = pause(60_000, ending.signal)
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1)
  ending.abort()
  await waiting
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0)
})
