// node openai-conversations.mjs http://127.0.0.1:7333 conv_1 conv_2 …: conversations of OpenAI's, under the ids they have, into a
// service that runs. OpenAI lists no conversations: the ids are those that your program keeps. The key is OPENAI_API_KEY. How far it
// came stands in the metadata here, as `moved`.
import OpenAI from 'openai'
import { openClient } from 'throughline/client'

const [url, ...ids] = process.argv.slice(2)
const apiKey = process.env.THROUGHLINE_KEY
const from = new OpenAI()
const to = new OpenAI({ baseURL: `${url}/v1`, apiKey: apiKey ?? 'none' })
const { conversations } = openClient({ url, ...(apiKey && { key: apiKey }) })
/** OpenAI's own pages have so many at most. */
const limit = 100
let added = 0

for (const id of ids) {
  const { metadata } = await from.conversations.retrieve(id)
  await conversations.create({ id }, { key: `move-${id}` })
  const { moved } = (await to.conversations.retrieve(id)).metadata
  const items = await all(id)
  const fresh = items.slice(items.findIndex((item) => item.id === moved) + 1)
  for (let i = 0; i < fresh.length; i += limit) {
    const page = fresh.slice(i, i + limit)
    const last = page.at(-1).id
    // the same page again is known by its key, should this end before the next line
    await to.conversations.items.create(id, { items: page }, { headers: { 'idempotency-key': `move-${last}` } })
    await to.conversations.update(id, { metadata: { ...metadata, moved: last } })
  }
  added += fresh.length
}
console.log(`conversations: ${ids.length}, new items: ${added}`)

async function all(id) {
  const items = []
  for await (const item of from.conversations.items.list(id, { order: 'asc', limit })) items.push(item)
  return items
}
