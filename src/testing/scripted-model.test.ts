import { expect, test } from 'vitest'
import { ModelError, type ModelEvent, type ModelRequest } from '../models/wire/contract.js'
import { scriptedModel } from './scripted-model.js'

const request = (signal = new AbortController().signal): ModelRequest => ({
  window: { items: [], hasCurrent: false, style: { think: 'drop', section: 'plain', escape: true } },
  items: [],
  signal,
})

async function listen(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

test('each request gets the next answer of the script', async () => {
  const model = scriptedModel([
    'two words',
    (_, turn) => `turn ${turn}`,
    [{ type: 'finish', reason: 'length', usage: null }],
  ])
  expect(await listen(model.stream(request()))).toEqual([
    { type: 'text', text: 'two' },
    { type: 'text', text: ' words' },
    { type: 'finish', reason: 'stop', usage: { input: 0, output: 2 } },
  ])
  expect((await listen(model.stream(request())))[1]).toEqual({ type: 'text', text: ' 1' })
  expect(await listen(model.stream(request()))).toHaveLength(1)
  expect(model.requests).toHaveLength(3)
  await expect(listen(model.stream(request()))).rejects.toThrow(/has 3 answers, and this is request 4/)
})

test('errors are thrown where they stand', async () => {
  const model = scriptedModel([
    [{ type: 'text', text: 'a' }, new ModelError('cut', 'cut')],
    new ModelError('silent', 'x'),
  ])
  const events: ModelEvent[] = []
  await expect(async () => {
    for await (const event of model.stream(request())) events.push(event)
  }).rejects.toMatchObject({ code: 'cut' })
  expect(events).toHaveLength(1)
  await expect(listen(model.stream(request()))).rejects.toMatchObject({ code: 'silent' })
})

test('a script may wait, and an abort ends it', async () => {
  const stop = new AbortController()
  const model = scriptedModel([
    async function* () {
      yield { type: 'text', text: 'a' }
      stop.abort()
      yield { type: 'text', text: 'b' }
    },
  ])
  await expect(listen(model.stream(request(stop.signal)))).rejects.toMatchObject({ name: 'AbortError' })
})
