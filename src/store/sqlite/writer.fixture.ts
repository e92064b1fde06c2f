/** A process of its own that appends to a file: `file conversation name count`, and `tell` for an event with each. Prints each id once it is stored. */
import { sqliteStore } from './store.js'

const [, , file = '', conversation = '', name = '', count = '0', tell] = process.argv
const at = '2026-01-01T00:00:00.000Z'

const store = await sqliteStore(file)
await store.create('w', { id: conversation, at }).catch((error: { readonly code?: string }) => {
  if (error.code !== 'id_conflict') throw error
})
for (let i = 0; i < Number(count); i++) {
  const words = `${name} ${i} `.repeat(20)
  const body = { kind: 'message', role: 'user', parts: [{ type: 'text', text: words }], status: 'complete' } as const
  const entry = { id: `${name}-${i}`, body, text: words, tokens: 1, at }
  const { head } = await store.append('w', conversation, [entry], { branch: 'main', at, key: `key-${name}-${i}` })
  if (tell) await store.commit('w', conversation, [{ do: 'emit', events: [{ type: 'told', data: i }], at }])
  process.stdout.write(`${head}\n`)
}
await store.close()
