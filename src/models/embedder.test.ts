import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  answerTo,
  type Embeddings,
  type Fault,
  json,
  startEmbeddings,
  vectorOf,
} from '../../test/provider/embeddings.js'
import { deadAddress } from '../../test/provider/server.js'
import { dot } from '../recall/embedder.js'
import { type EmbedderConfig, openEmbedder } from './embedder.js'

let server: Embeddings
beforeEach(async () => {
  server = await startEmbeddings()
})
afterEach(() => server.close())

const waits: number[] = []
const open = (more: Partial<EmbedderConfig> = {}) => {
  waits.length = 0
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  const retry = { random: () => 1, sleep, ...more.retry }
  return openEmbedder({ url: server.url, model: 'test-embed', silenceMs: 400, ...more, retry })
}

const failing = (status: number, error: object, headers: object = {}, times = Number.POSITIVE_INFINITY): Fault => {
  return (_, response, number) => number <= times && json(response, status, { error }, headers)
}

describe('an embedder of a provider', () => {
  test('asks as OpenAI has it, and gives the vectors in the order of the texts, each of length one', async () => {
    const embedder = open({ apiKey: 'key-e', dimensions: 8 })
    const vectors = await embedder.embed(['green tea', 'black coffee'])
    expect(server.requests).toEqual([
      {
        path: '/v1/embeddings',
        key: 'Bearer key-e',
        model: 'test-embed',
        input: ['green tea', 'black coffee'],
        encoding_format: 'float',
        dimensions: 8,
      },
    ])
    const [tea, coffee] = vectors as [Float32Array, Float32Array]
    expect([tea.length, coffee.length, embedder.model]).toEqual([8, 8, 'test-embed'])
    expect(dot(tea, tea)).toBeCloseTo(1)
    const plain = Float32Array.from(vectorOf('green tea', 8))
    expect(dot(tea, plain)).toBeCloseTo(Math.sqrt(dot(plain, plain)))
  })

  test('sends no key when there is none, and many texts in batches', async () => {
    const texts = Array.from({ length: 150 }, (_, n) => `text ${n}`)
    expect(await open({ url: `${server.url}//`, batch: 64 }).embed(texts)).toHaveLength(150)
    expect(server.requests.map(({ input }) => input.length)).toEqual([64, 64, 22])
    expect(server.requests[0]).toMatchObject({ path: '/v1/embeddings', key: undefined })
    expect(await open().embed([])).toEqual([])
  })

  test.each([
    ['429 with a time to wait', failing(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '2' }, 1), [2_000]],
    ['500', failing(500, { message: 'oops' }, {}, 2), [200, 400]],
    ['503', failing(503, { message: 'overloaded' }, {}, 1), [200]],
    ['a cut connection', ((_, response, n) => n === 1 && Boolean(response.destroy())) as Fault, [200]],
    ['no JSON', ((_, response, n) => n === 1 && Boolean(response.end('{"data": ['))) as Fault, [200]],
    ['an answer that never ends', ((_, response, n) => n === 1 && response.write('{')) as Fault, [200]],
    ['silence', ((_, __, n) => n === 1) as Fault, [200]],
  ])('tries again after %s', async (_, fault, expected) => {
    server.fault = fault
    expect(await open().embed(['tea'])).toHaveLength(1)
    expect(waits).toEqual(expected)
  })

  test.each([
    ['unauthorized', failing(401, { message: 'no such key' }), 1],
    ['refused', failing(404, { message: 'no such model' }), 1],
    ['refused', failing(429, { code: 'insufficient_quota' }), 1],
    ['rate_limited', failing(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '3600' }), 1],
    ['server_error', failing(500, { message: 'oops' }), 3],
    ['garbled', ((asked, response) => json(response, 200, { data: answerTo(asked).data.slice(1) })) as Fault, 3],
    ['garbled', ((_, response) => json(response, 200, { data: [{ index: 0, embedding: 'AAAA' }] })) as Fault, 3],
    [
      'garbled',
      ((asked, response) =>
        json(response, 200, {
          data: asked.input.map((_, index) => ({ index, embedding: vectorOf('a', index + 1) })),
        })) as Fault,
      3,
    ],
    [
      'garbled',
      ((_, response) => Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))) as Fault,
      3,
    ],
  ])('tells %s with a code of ours', async (code, fault, requests) => {
    server.fault = fault
    await expect(open().embed(['tea', 'coffee'])).rejects.toMatchObject({ name: 'ModelError', code })
    expect(server.requests).toHaveLength(requests)
  })

  test('tells that no one is there', async () => {
    await expect(open({ url: `${deadAddress}/v1` }).embed(['tea'])).rejects.toMatchObject({ code: 'unreachable' })
    expect(waits).toEqual([200, 400])
  })

  test('shortens the one text that is too long, and no other', async () => {
    const tooLong: Fault = ({ input }, response) =>
      input.some((text) => text.length > 1_000) &&
      json(response, 400, { error: { code: 'context_length_exceeded', message: 'maximum context length' } })
    server.fault = tooLong
    const vectors = await open().embed(['one', 'two', 'x '.repeat(2_000), 'four'])
    expect(vectors).toHaveLength(4)
    expect(server.requests.at(-2)?.input).toEqual(['x '.repeat(500)])
    const [one] = vectors as [Float32Array]
    expect(dot(one, Float32Array.from(vectorOf('one')))).toBeCloseTo(1)
  })

  test('follows no redirect: the key is for the address it was given for', async () => {
    server.fault = (_, response) =>
      Boolean(response.writeHead(307, { location: 'http://127.0.0.1:9/v1/embeddings' }).end())
    await expect(open({ apiKey: 'canary' }).embed(['tea'])).rejects.toMatchObject({ code: 'refused' })
  })
})
