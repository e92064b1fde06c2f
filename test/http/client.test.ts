import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError, type Event, openClient } from '../../src/client/index.js'
import { type Host, startService } from './host.js'
import { gated, modelsOf, saying } from './live-models.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function host(options: Parameters<typeof startService>[0] = {}): Promise<Host> {
  const started = await startService(options)
  ends.push(() => started.stop())
  return started
}

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

describe('the client', () => {
  test('speaks every room of the service', async () => {
    const { url } = await host({ models: modelsOf(saying('Miramar, by the sea.')) })
    const client = openClient({ url })
    const made = await client.conversations.create({ title: 'Lisbon', tags: ['travel'] })
    expect((await client.conversations.list({ q: 'lis' })).items.map(({ id }) => id)).toEqual([made.id])
    expect((await client.conversations.update(made.id, { pinned: true })).pinned).toBe(true)

    const started = await client.runs.start(made.id, { message: 'What is the hotel called?' })
    const types: string[] = []
    let said = ''
    for await (const event of client.runs.follow(made.id, started.run.id)) {
      types.push(event.type)
      if (event.type === 'text-delta') said += event.data.text
    }
    expect(said).toBe('Miramar, by the sea.')
    expect(types.at(-1)).toBe('run-ended')

    const { items } = await client.messages.list(made.id)
    expect(items.map(({ text }) => text)).toEqual(['What is the hotel called?', 'Miramar, by the sea.'])
    const [asked, answer] = items as [(typeof items)[0], (typeof items)[0]]
    expect((await client.messages.rate(made.id, answer.id, { value: 1 })).value).toBe(1)
    expect((await client.messages.mark(made.id, asked.id, { pinned: true })).pinned).toBe(true)

    const run = await client.runs.get(made.id, answer.id)
    const receipt = await client.receipts.get(run.receipt_id as string)
    expect(receipt.message_id).toBe(answer.id)
    expect((await client.receipts.replay(receipt.id)).same).toBe(true)
    expect((await client.receipts.list(made.id)).items).toHaveLength(1)

    const edited = await client.messages.edit(made.id, asked.id, { message: 'Which hotel?', run: {} })
    for await (const _ of client.runs.follow(made.id, edited.run?.id as string)) void _
    const again = await client.messages.regenerate(made.id, answer.id)
    expect((await client.branches.list(made.id)).items.map(({ name }) => name)).toContain(again.name)
    const fork = await client.branches.fork(made.id, { at: asked.id, branch: 'aside/way' })
    await client.branches.set(made.id, fork.name, { head_id: answer.id, expect: asked.id })
    await client.branches.remove(made.id, fork.name)
    const tree = await client.conversations.tree(made.id)
    expect(tree.nodes.filter(({ parent_id }) => parent_id === null)).toHaveLength(2)

    await client.messages.append(made.id, { message: { role: 'user', content: 'Breakfast is at eight.' } })
    const window = await client.assemble({ conversation_id: made.id, budget: 4_000 })
    expect(window.items.at(-1)?.text).toContain('eight')
    expect((await client.search({ q: 'breakfast' })).items[0]?.conversation_id).toBe(made.id)
    const share = await client.shares.create(made.id)
    expect((await client.shares.list(made.id)).items[0]?.id).toBe(share.id)
    await client.shares.revoke(made.id, share.id)
    expect((await client.usage()).totals.runs).toBe(2)
    expect((await client.system()).service).toBe('throughline')
    expect((await client.models()).items.length).toBeGreaterThan(0)
    expect((await client.policies()).items.map(({ name }) => name)).toContain('balanced')
    const chat = await client.chat({ message: 'Hello', session_id: 'one' })
    expect(chat.response).toBe('Miramar, by the sea.')
    await client.messages.redact(made.id, asked.id)
    await client.conversations.remove(made.id)
    await expect(client.conversations.get(made.id)).rejects.toMatchObject({ status: expect.any(Number) })
  })

  test('tells a problem as an error with its status, code and fields', async () => {
    const { url } = await host()
    const client = openClient({ url })
    const error = await client.conversations.create({ id: '' }).catch((error: unknown) => error)
    expect(ApiError.is(error) && [error.status, error.code, error.errors[0]?.path]).toEqual([
      400,
      'invalid_request',
      'id',
    ])
    const none = openClient({ url: 'http://127.0.0.1:9', retries: 0 }).system()
    await expect(none).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })

  test('a write whose answer is lost is written once', async () => {
    const { url, store } = await host({ models: modelsOf(saying('Yes.')) })
    const lossy = await losing(url, 2)
    const client = openClient({ url: lossy, wait: soon })
    const made = await client.conversations.create({ title: 'Once' })
    expect(await countOf(store)).toBe(1)
    await client.messages.append(made.id, { message: 'Only once' })
    expect((await client.messages.list(made.id)).items).toHaveLength(1)
  })

  test('a write that has no key is not sent twice', async () => {
    const { url } = await host()
    const client = openClient({ url })
    const made = await client.conversations.create()
    const { messages } = await client.messages.append(made.id, { message: 'One' })
    const lossy = openClient({ url: await losing(url, 1), wait: soon })
    const edit = lossy.messages.edit(made.id, messages[0]?.id as string, { message: 'Two' })
    await expect(edit).rejects.toMatchObject({ code: 'unreachable' })
    expect((await client.branches.list(made.id)).items).toHaveLength(2)
  })
})

describe('events', () => {
  test('a stream that is cut again and again gives each event once, in order', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    const { url } = await host({ models: modelsOf(saying(text)) })
    const client = openClient({ url })
    const { id } = await client.conversations.create()
    const { run } = await client.runs.start(id, { message: 'Say it' })
    const direct: Event[] = []
    for await (const event of client.runs.follow(id, run.id)) direct.push(event)

    const proxy = await cutting(url, [900, 1_200, 1_500, 700, 2_000, 1_100])
    const cut: Event[] = []
    let lost = 0
    const onLine = (state: string) => {
      if (state === 'lost') lost++
    }
    for await (const event of openClient({ url: proxy, wait: soon }).runs.follow(id, run.id, { onLine }))
      cut.push(event)
    expect(lost).toBeGreaterThan(2)
    expect(cut).toEqual(direct)
  })

  test('a conversation is followed across a cut while its answer grows', async () => {
    const gate = gated()
    const { url } = await host({ models: modelsOf(gate.model) })
    const client = openClient({ url: await cutting(url, [1_400, 1_000, 900]), wait: soon })
    const { id } = await client.conversations.create()
    const stop = new AbortController()
    const numbers: number[] = []
    let said = ''
    const reading = (async () => {
      for await (const event of client.follow(id, { after: 0, signal: stop.signal })) {
        numbers.push(event.number)
        if (event.type === 'text-delta') said += event.data.text
        if (event.type === 'run-ended') stop.abort()
      }
    })()
    await openClient({ url }).runs.start(id, { message: 'Go' })
    for (let word = 0; word < 20; word++) {
      gate.say(`w${word} `)
      await soon()
    }
    gate.end()
    await reading
    expect(said).toBe(Array.from({ length: 20 }, (_, word) => `w${word} `).join(''))
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
  })

  test('what cannot be mended by coming back is thrown', async () => {
    const { url } = await host()
    const client = openClient({ url })
    const read = async () => {
      for await (const _ of client.follow('nowhere')) void _
    }
    await expect(read()).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})

const countOf = async (store: Host['store']): Promise<number> =>
  (await store.list('default', { limit: 10 })).items.length

/** Passes the first requests on and hangs up instead of answering. */
async function losing(target: string, times: number): Promise<string> {
  let left = times
  const server: Server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
    const response = await fetch(target + incoming.url, {
      method: incoming.method as string,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = await response.text()
    if (left-- > 0) return outgoing.socket?.destroy()
    outgoing.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' }).end(body)
  })
  return listening(server)
}

/** Cuts each connection after so many bytes of the answer; the last ones are whole. */
async function cutting(target: string, sizes: number[]): Promise<string> {
  const { hostname, port } = new URL(target)
  const server: TcpServer = createTcp((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    let left: number | null = null
    client.on('data', (chunk) => {
      if (/\/events/.test(chunk.toString('latin1')) && left === null) left = sizes.shift() ?? null
    })
    upstream.on('data', (chunk) => {
      if (left === null) return client.write(chunk)
      client.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) {
        upstream.destroy()
        client.end()
      }
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    for (const socket of [client, upstream]) socket.on('error', () => {})
  })
  return listening(server)
}

async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
