/** What the conversation itself says of the window: badges, the horizon, summaries, what is recalled and remembered. */
import type { Client, Message } from '../../src/client/index.js'
import { openVisits } from './visit.js'

export const visits = openVisits()

export const budget = { budget: 1_100 }

/** With the summary of the first window nothing more has to be left out here. */
export const roomier = { budget: 1_400 }

/** Rooms are given away, far more often than a small window can tell. */
export async function rooms(client: Client): Promise<string> {
  const { id } = await client.conversations.create({ title: 'Rooms' })
  const messages = Array.from({ length: 24 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Note ${at}: we decided that room ${at + 100} is for books. ${'It matters to us a lot. '.repeat(8)}`,
  }))
  await client.messages.append(id, { messages })
  return id
}

export const summaryIn = async (client: Client, id: string): Promise<Message | undefined> =>
  (await client.messages.list(id, { limit: 100 })).items.find(({ kind }) => kind === 'summary')
