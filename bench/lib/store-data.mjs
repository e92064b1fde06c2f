// What the stores hold: the same messages for everyone, and conversations that all end with the same words, so that their
// windows differ by nothing but the length of what lies before them.
import { randomUUID } from 'node:crypto'
import { openHistory } from '../../dist/engine/index.js'
import { memoryStore } from '../../dist/store/index.js'
import { chats, dice, prose, traffic } from './history.mjs'
import { exact } from './ours.mjs'

export const budget = 6_000
export const fillerLength = 1_000

/** Text alone, or what agents write; as many messages as end with a whole turn. */
const pools = { text: () => chats(2_000, 11), agents: () => traffic(1_992, 11) }
export const shapes = Object.keys(pools)

let pool
let made
/** The newest messages that just exceed the budget: nobody has to read more. */
export let enough
/** The mean of what a message says, in bytes. */
export let contentBytes

/** From here on everything is of this shape. */
export async function takeShape(shape) {
  pool = pools[shape]()
  const bytes = ({ content, tool_calls: calls }) => Buffer.byteLength(content ?? JSON.stringify(calls))
  contentBytes = pool.reduce((sum, message) => sum + bytes(message), 0) / pool.length
  let tokens = 0
  for (enough = 2; tokens <= budget; enough++) tokens += exact.count(pool[pool.length + 1 - enough].content ?? '') + 4
  // entries as the engine itself makes them from the messages
  const history = await openHistory({ store: memoryStore(), conversation: 'template' })
  for (let at = 0; at < pool.length; at += 996) await history.append(pool.slice(at, at + 996))
  made = (await history.path()).map(({ body, text, tokens: counted }) => ({ body, text, tokens: counted }))
}

export const current = { role: 'user', content: prose(dice(5), 60) }

const spot = (length, index) => (((index - length) % pool.length) + pool.length) % pool.length

/** Message `index` of a conversation that had `length` messages when it was loaded. */
export const messageAt = (length, index) => pool[spot(length, index)]

export const timeAt = (index) => new Date(1_700_000_000_000 + index * 1_000)

export const pages = (length, size = 1_000) =>
  Array.from({ length: Math.ceil(length / size) }, (_, page) =>
    Array.from({ length: Math.min(size, length - page * size) }, (_, i) => page * size + i),
  )

export const entryAt = (length, index) => ({
  ...made[spot(length, index)],
  id: randomUUID(),
  at: timeAt(index).toISOString(),
})

/** The values of one row of ours, in one text: what a raw insert writes. */
export function rawAt(length, index, key = ['default', 'c-100000', index]) {
  const { text, tokens } = made[spot(length, index)]
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const hashes = Buffer.alloc(48, index + 1).toString('base64')
  const at = timeAt(index).toISOString()
  const body = '{"kind":"message","role":"assistant","parts":[{"type":"text"}],"status":"complete"}'
  return JSON.stringify([...key, tokens, index, ...ids, hashes, at, text, body])
}

/** Conversations for the tables, and so many more of 1,000 messages that the sum is reached. */
export function planOf({ total, lengths, short }) {
  const conversations = [
    ...lengths.map((length) => ({ id: `c-${length}`, length })),
    ...Array.from({ length: short.count }, (_, i) => ({ id: `short-${i}`, length: short.length })),
  ]
  const rest = total - conversations.reduce((sum, { length }) => sum + length, 0)
  return { total, conversations, fillers: Math.max(3, Math.ceil(rest / fillerLength)) }
}

/** The first is loaded through the store's own interface, the others are copies of it inside the database. */
export const fillerId = (i) => `filler-${String(i).padStart(5, '0')}`
