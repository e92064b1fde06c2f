/** The `openai` package and a running server, one for each file of tests. */
import OpenAI from 'openai'
import { afterAll, beforeEach } from 'vitest'
import { openHouse } from './house.js'

export const house = await openHouse()
export const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'none' })
afterAll(() => house.stop())
beforeEach(() => house.says({ text: 'Hello there.' }))

export const look = {
  type: 'function',
  name: 'look',
  description: 'looks something up',
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  strict: false,
} as const
