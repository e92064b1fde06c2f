/** A session of an agent that passes through a server which is killed: what was recorded of it is there afterwards. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf, saying } from '../../http/forward/forward.fixture.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build } from '../cli.fixture.js'
import { freshDb, served } from './serve.fixture.js'

beforeAll(build, 120_000)

let act: (response: ServerResponse) => void = () => {}
const provider = createServer((request, response) => {
  request.resume().on('end', () => act(response.writeHead(200, { 'content-type': 'text/event-stream' })))
})
beforeAll(() => new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

/** Up to the middle of its words. */
const half = (events: string): string =>
  events.slice(0, events.search(/event: (?:content_block_stop|response\.output_text\.done)/))

const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Half of it' }] }
const responses = (text: string): string =>
  eventsOf(
    { type: 'response.created', response: { id: 'resp_1', output: [] } } as { type: string },
    { type: 'response.output_text.delta', delta: text } as { type: string },
    { type: 'response.output_text.done', text } as { type: string },
    { type: 'response.completed', response: { id: 'resp_1', output: [item] } } as { type: string },
  )

const dialects = {
  anthropic: {
    path: '/v1/messages',
    says: saying,
    body: (messages: readonly object[]) => ({ model: 'claude-sonnet-4-5', max_tokens: 9, messages }),
    headers: { 'x-claude-code-session-id': 'session-1', 'user-agent': 'claude-cli/2' },
  },
  responses: {
    path: '/v1/responses',
    says: responses,
    body: (input: readonly object[]) => ({ model: 'gpt-5', store: false, input }),
    headers: { 'session-id': 'session-1', 'user-agent': 'codex_exec/0' },
  },
}

test.each(Object.keys(dialects) as (keyof typeof dialects)[])(
  'a server that is killed in the middle of an answer leaves all that was recorded, and the session goes on: %s',
  async (name) => {
    const { path, says, body, headers } = dialects[name]
    const db = freshDb()
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const start = () => served(['--db', db], { THROUGHLINE_ANTHROPIC_BASE_URL: url, THROUGHLINE_OPENAI_BASE_URL: url })
    const ask = (at: string, messages: readonly object[]) =>
      fetch(at + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-client', ...headers },
        body: JSON.stringify({ ...body(messages), stream: true, tools: [{ name: 'Bash' }] }),
      })
    const first = await start()
    act = (response) => response.end(says('Half of it'))
    const opening = [{ role: 'user', content: 'Find the leak' }]
    await (await ask(first.url, opening)).text()
    // the answer does not end: it was cut off where the words are
    act = (response) => response.write(half(says('It is in the')))
    const history = [...opening, { role: 'assistant', content: 'Half of it' }, { role: 'user', content: 'And now?' }]
    const answer = await ask(first.url, history)
    const { value } = (await answer.body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toContain('It is in the')
    const store = await sqliteStore(db)
    const draft = async () => (await store.drafts('default', 'session-1').catch(() => []))[0]?.text
    await expect.poll(draft, { timeout: 20_000 }).toBe('It is in the')
    await first.stop('SIGKILL')

    const second = await start()
    act = (response) => response.end(says('Half of it'))
    await (await ask(second.url, [...history, { role: 'user', content: 'Go on.' }])).text()
    const kept = async () => {
      const said = await store.feed('default', 'session-1', 0, 50)
      return [...said, ...(await store.drafts('default', 'session-1'))].map(({ text }) => text)
    }
    await expect.poll(kept, { timeout: 20_000 }).toContain('Go on.')
    expect(await kept()).toEqual(
      expect.arrayContaining(['Find the leak', 'Half of it', 'And now?', 'It is in the', 'Go on.']),
    )
    expect((await store.list('default', { limit: 10 })).items).toHaveLength(1)
    await store.close()
    await second.stop()
  },
)
