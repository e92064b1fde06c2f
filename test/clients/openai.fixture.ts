/** The `openai` package and a running server of a file of tests. */
import OpenAI from 'openai'
import { afterAll, beforeEach } from 'vitest'
import { openHouse } from './house.js'

export async function openaiHouse() {
  const house = await openHouse()
  afterAll(() => house.stop())
  beforeEach(() => house.says({ text: 'Hello there.' }))
  return { house, client: new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'none' }) }
}

export const look = {
  type: 'function',
  name: 'look',
  description: 'looks something up',
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  strict: false,
} as const
