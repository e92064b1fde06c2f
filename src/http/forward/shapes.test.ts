/** What the agents of `docs/agents.md` really send, with every word replaced: structure, headers and order are theirs. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { answers, openWired, type Wired } from './forward.fixture.js'

interface Shape {
  readonly url: string
  readonly side: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const file = new URL('./shapes.fixture.json', import.meta.url)
const shapes: Readonly<Record<string, readonly Shape[]>> = JSON.parse(readFileSync(file, 'utf8'))

let wired: Wired
let store: Store

beforeEach(async () => {
  store = memoryStore()
  wired = await openWired({ store })
})
afterEach(() => wired.stop())

describe.each(Object.keys(shapes))('%s', (name) => {
  const given = shapes[name] as readonly Shape[]

  test('passes on to the byte and is one conversation by its title', async () => {
    wired.acts(answers(200, {}))
    for (const { url, headers, body } of given) {
      await (await wired.post(url, body, headers)).text()
      await wired.recorded()
    }
    expect(wired.heard.map(({ url, body }) => [url, body])).toEqual(
      given.map(({ url, body }) => [url, JSON.stringify(body)]),
    )
    for (const [i, { headers }] of given.entries()) expect(wired.heard[i]?.headers).toMatchObject(headers)
    const { items } = await store.list('default', { limit: 10, archived: false })
    expect(items.map(({ title }) => title)).toEqual(['Run the first step.'])
    expect(await store.branches('default', items[0]?.id ?? '')).toHaveLength(1)
  })

  test('is answered by another model in the words of its own dialect', async () => {
    for (const { url, headers, body } of given) {
      const other = { ...body, ...('model' in body && { model: 'builtin/extractive' }) }
      const path = url.replace(/models\/[^:]+:/, 'models/default:')
      const answer = await wired.post(path, other, headers)
      const said = await answer.text()
      expect([answer.status, said.slice(0, 300)]).toEqual([
        200,
        expect.stringMatching(/^(?:retry: \d+\n\n)?(?:: \w+\n\n)*(?:id: .*\n)?(?:event|data): /),
      ])
    }
    expect(wired.heard).toEqual([])
  })
})
