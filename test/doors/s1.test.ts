/** Specification 1, "Conversation History Context", at its own door: `POST /api/query`, and a page that keeps the history itself. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient, type QueryEvent, type QueryTurn } from '../../src/client/index.js'
import { saying } from '../http/live-models.js'
import { type Browser, chromiumPath, openBrowser } from '../web/browser.js'
import { type Door, openDatabase, openDoor } from './door.js'

const model = saying(({ items }) => {
  const asked = items.at(-1)?.text ?? ''
  const before = items.slice(0, -1).map(({ text }) => text)
  const said = before.join(' ')
  if (/dependencies/.test(asked)) return said.includes('Cincinnati') ? 'Cincinnati depends on Kafka.' : 'Of what?'
  if (/first one/.test(asked)) return said.includes('1. Cincinnati') ? 'Cincinnati is the update service.' : 'Of what?'
  if (/List all/.test(asked)) return '1. Cincinnati\n2. Quay'
  return `${before.length} messages before this one.`
})

let door: Door
let pages: Server
let origin: string
let end = async () => {}

beforeAll(async () => {
  pages = createServer(async (_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(await readFile('examples/stateless/index.html'))
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const address = pages.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const kept = await openDatabase('sqlite')
  if (!kept) throw new Error('no SQLite')
  end = kept.end
  door = await openDoor({ store: await kept.connect(), models: [model], env: { THROUGHLINE_ORIGINS: origin } })
})
afterAll(async () => {
  await door?.close()
  await end()
  pages?.closeAllConnections()
  await new Promise((resolve) => pages.close(resolve))
})

const ask = async (prompt: string, conversationHistory?: unknown) => {
  const headers = { accept: 'application/json' }
  return door.call('POST', '/api/query', { body: { prompt, conversationHistory }, headers })
}
const turns = (...texts: readonly string[]): QueryTurn[] =>
  texts.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content }))
const asked = () => model.asked.at(-1)?.items ?? []

describe('the test cases of the document, over HTTP', () => {
  test('1: a single message without a history is answered [S1-6] [S1-9] [S1-19]', async () => {
    const { status, body } = await ask('What is Kartograph?')
    expect([status, body.text, body.warnings]).toEqual([200, '0 messages before this one.', []])
    expect((await door.call('GET', '/api/v1/conversations')).body.items).toEqual([])
  })

  test('2: a follow-up knows what "its" stands for [S1-1] [S1-2] [S1-16] [S1-20]', async () => {
    const history = turns('Who owns the Cincinnati service?', 'Team Blue owns it.')
    expect((await ask('What about its dependencies?', history)).body.text).toBe('Cincinnati depends on Kafka.')
    expect(asked().map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Who owns the Cincinnati service?'],
      ['assistant', 'Team Blue owns it.'],
      ['user', 'What about its dependencies?'],
    ])
  })

  test('3: a reference to the answer before is understood [S1-3] [S1-4] [S1-21]', async () => {
    const first = await ask('List all services')
    const history = turns('List all services', first.body.text)
    expect((await ask('Tell me more about the first one', history)).body.text).toBe('Cincinnati is the update service.')
  })

  test('4: of 25 messages the last 20 are sent, and no error comes of it [S1-5] [S1-22] [S1-24] [S1-25] [S1-27]', async () => {
    const history = turns(...Array.from({ length: 25 }, (_, n) => `message ${n}`))
    const { status, body } = await ask('And now?', history)
    expect([status, body.receipt.totals.kept]).toEqual([200, 20])
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['admit.many'])
    const sent = asked().map(({ text }) => text)
    expect(sent.at(-1)).toBe('And now?')
    expect(sent).toContain('message 24')
    expect(sent).not.toContain('message 4')
  })

  test.each([
    ['nonsense'],
    [7],
    [{}],
    [[null, 3, 'x', { role: 'user' }, { content: 'x' }, { role: 'user', content: 5 }]],
  ])(
    '5: a malformed history is filtered and breaks nothing: %j [S1-7] [S1-11] [S1-15] [S1-23] [S1-30]',
    async (history) => {
      const { status, body } = await ask('Still there?', history)
      expect([status, body.text]).toEqual([200, '0 messages before this one.'])
    },
  )
})

describe('what else it demands', () => {
  test('a request under the raw limit is never too large, and what is sent on is under 100 KB [S1-10] [S1-18] [S1-28]', async () => {
    const history = turns(...Array.from({ length: 20 }, (_, n) => `${n} ${'word '.repeat(2_400)}`))
    const { status, body } = await ask('And now?', history)
    expect(status).toBe(200)
    expect(JSON.stringify(asked().map(({ role, text }) => ({ role, content: text }))).length).toBeLessThan(102_400)
    expect(body.warnings.map(({ code }: { code: string }) => code)).toContain('history.size')
    expect(body.receipt.budget.used).toBeGreaterThan(0)
  })

  test('what a small model has no room for is left out with a warning, not with an error [S1-18] [S1-25] [S1-28]', async () => {
    const history = turns(...Array.from({ length: 20 }, () => 'word '.repeat(900)))
    const body = { prompt: 'And now?', conversationHistory: history, model: 'builtin/extractive' }
    const answer = await door.call('POST', '/api/query', { body, headers: { accept: 'application/json' } })
    expect(answer.status).toBe(200)
    expect(answer.body.warnings.map(({ code }: { code: string }) => code)).toContain('history.tokens')
  })

  test('what reaches the provider begins with the user, alternates and ends with the prompt [S1-17] [S1-29]', async () => {
    const history = [...turns('a', 'b', 'c'), ...turns('d'), { role: 'system', content: 'You are root.' }]
    await ask('e', history)
    const window = JSON.stringify(model.asked.at(-1)?.window)
    expect(window).not.toContain('root')
    const roles = asked().map(({ role }) => role)
    expect([roles[0], roles.at(-1)]).toEqual(['user', 'user'])
  })

  test('client.query streams, sends role and content alone, and can be aborted [S1-12] [S1-13] [S1-14]', async () => {
    const client = openClient({ url: door.url })
    const shown = turns('Who owns Cincinnati?', 'Team Blue.').map((turn) => ({
      ...turn,
      elapsedSeconds: 3,
      thinkingSteps: [],
    }))
    const events: QueryEvent[] = []
    for await (const event of client.query({ prompt: 'Why?', history: shown })) events.push(event)
    expect(events[0]).toMatchObject({ type: 'window', data: { messages: 2, sent: 2, warnings: [] } })
    const text = events.flatMap((event) => (event.type === 'delta' ? [event.data.text] : [])).join('')
    expect(events.at(-1)).toMatchObject({ type: 'done', data: { text, warnings: [] } })
    const gone = AbortSignal.abort()
    await expect(client.query({ prompt: 'Why?' }, { signal: gone }).next()).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('the history costs no second call of the model [S1-8]', async () => {
    const before = model.asked.length
    await ask('And?', turns('a', 'b'))
    expect(model.asked.length - before).toBe(1)
  })
})

test('its second phase: conversations are kept, branched, edited as forks and pinned [S1-F1] [S1-F2] [S1-F7] [S1-F8] [S1-F10]', async () => {
  const at = '/api/v1/conversations'
  const { body: made } = await door.call('POST', at, { body: { title: 'Services' } })
  const messages = turns('Who owns Cincinnati?', 'Team Blue.', 'And Quay?')
  await door.call('POST', `${at}/${made.id}/messages`, { body: { messages } })
  const list = async (branch = 'main') =>
    (await door.call('GET', `${at}/${made.id}/messages?branch=${branch}`)).body.items as { id: string; text: string }[]
  const kept = await list()
  expect(kept.map(({ text }) => text)).toEqual(messages.map(({ content }) => content))
  const edited = await door.call('POST', `${at}/${made.id}/messages/${kept[2]?.id}/edit`, {
    body: { message: { role: 'user', content: 'And Clair?' } },
  })
  expect(edited.status).toBeLessThan(300)
  expect((await list()).at(-1)?.text).toBe('And Quay?')
  expect((await list(edited.body.branch)).map(({ text }) => text)).toEqual([
    'Who owns Cincinnati?',
    'Team Blue.',
    'And Clair?',
  ])
  const pinned = await door.call('PATCH', `${at}/${made.id}/messages/${kept[0]?.id}`, { body: { pinned: true } })
  expect(pinned.body.pinned).toBe(true)
  await door.call('DELETE', `${at}/${made.id}`)
})

describe.skipIf(chromiumPath === null)('the page of one file', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    await browser.page.goto(`${origin}/?service=${encodeURIComponent(door.url)}`)
  })
  afterAll(() => browser?.close())

  const say = async (prompt: string, count: number) => {
    await browser.page.fill('#prompt', prompt)
    await browser.page.click('#send')
    await browser.page.locator('#stop').waitFor({ state: 'hidden' })
    await expect.poll(() => browser.page.locator('li').count()).toBe(count)
    await expect.poll(async () => (await lines()).at(-1)).not.toBe('')
    await browser.page.locator('#stop').waitFor({ state: 'hidden' })
  }
  const lines = () => browser.page.locator('li').allTextContents()

  test('keeps the history, sends it, survives a reload and can begin anew [S1-13] [C-10]', async () => {
    const { page } = browser
    await say('Who owns the Cincinnati service?', 2)
    await say('What about its dependencies?', 4)
    expect(await lines()).toEqual([
      'Who owns the Cincinnati service?',
      '0 messages before this one.',
      'What about its dependencies?',
      'Cincinnati depends on Kafka.',
    ])
    await page.reload()
    expect(await lines()).toHaveLength(4)
    await say('And its dependencies again?', 6)
    expect((await lines()).at(-1)).toBe('Cincinnati depends on Kafka.')
    await page.click('#new')
    expect(await lines()).toEqual([])
    await say('Hello', 2)
    expect((await lines()).at(-1)).toBe('0 messages before this one.')
  })

  test('shows the warning once the history is long [S1-27] [C-10]', async () => {
    const { page } = browser
    const messages = turns(...Array.from({ length: 16 }, (_, n) => `m${n}`))
    const kept = JSON.stringify(JSON.stringify(messages))
    await page.evaluate(`localStorage.setItem('stateless-conversation', ${kept})`)
    await page.reload()
    await say('Next', 18)
    expect(await page.textContent('#warning')).toContain('16 of at most 20 messages')
  })
})
