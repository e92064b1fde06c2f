/** Conversations whose windows are worth looking into. */
import type { Page } from 'playwright-core'
import type { Client, NewMessage, Run } from '../../src/client/index.js'
import { modelsOf, saying } from '../http/live-models.js'
import { openVisits, type VisitOptions } from './visit.js'

const subjects = [
  'the hotel',
  'the flight',
  'the budget',
  'the food',
  'the museum',
  'the train',
  'the weather',
  'the beach',
]

export const answers = saying(({ items }) => {
  const asked = items.at(-1)?.text ?? ''
  return `About ${asked.slice(0, 40)}: ${'there is a good deal to say, and most of it is known. '.repeat(3 + (asked.length % 5))}`
})

/** Asks and waits for the end. */
export async function ask(client: Client, conversation: string, message: NewMessage, settings = {}): Promise<Run> {
  const { run } = await client.runs.start(conversation, { message, ...settings })
  for await (const event of client.runs.follow(conversation, run.id)) if (event.type === 'run-ended') break
  return client.runs.get(conversation, run.id)
}

/** Ten turns, the last of them in windows too small for all; the middle ones by another policy. */
export async function journey(client: Client) {
  const { id } = await client.conversations.create({ title: 'Lisbon in May', system: 'You plan journeys.' })
  const runs: Run[] = []
  for (let turn = 0; turn < 10; turn++) {
    const words = `Tell me about ${subjects[turn % subjects.length]}, number ${turn + 1}. ${'It matters to us. '.repeat(4 + turn)}`
    const settings = turn < 4 ? {} : turn < 6 ? { policy: 'session-window' } : { budget: 1_100 }
    runs.push(await ask(client, id, words, settings))
  }
  return { id, runs, last: runs.at(-1) as Run }
}

/** So many messages, and one question after them. */
export async function long(client: Client, count: number, settings = {}) {
  const { id } = await client.conversations.create({ title: 'A long one' })
  for (let from = 0; from < count; from += 1_000) {
    const messages = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      role: ((from + i) % 2 === 0 ? 'user' : 'assistant') as 'user' | 'assistant',
      content: `Message ${from + i} says something about ${subjects[(from + i) % subjects.length]}. ${'More of it. '.repeat((from + i) % 9)}`,
    }))
    await client.messages.append(id, { messages })
  }
  const run = await ask(client, id, 'And what now?', settings)
  return { id, run }
}

export const visits = openVisits()

export async function open(options: VisitOptions = {}, size = {}) {
  const visited = await visits.visit({ models: withUnready(modelsOf(answers)), ...options }, size)
  return { ...visited, panel: visited.page.locator('.inspector') }
}

/** One more that has no key. */
export const withUnready = (models: ReturnType<typeof modelsOf>): ReturnType<typeof modelsOf> => ({
  ...models,
  list: async () => [
    ...(await models.list()),
    { id: 'openai/gpt-4o', label: 'GPT-4o', kind: 'hosted', window: 128_000, ready: false },
  ],
})

export const number = (value: number): string => Math.round(value).toLocaleString('en')

export const turnTo = (page: Page, name: string) =>
  page.locator('.inspector').getByRole('tab', { name, exact: true }).click()
