import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { sqliteStore } from 'throughline/sqlite'

/** Opened once, by the first request. */
const open = async () => {
  const store = await sqliteStore(process.env.DB ?? 'chat.db')
  const service = await openService({
    store,
    models: await openModels(), // the keys in the environment; without any, a built-in responder that quotes the chat
    auth: () => ({ workspace: 'everyone', scope: 'write' }), // your own session: who is asking?
  })
  return { store, service }
}
let opened: ReturnType<typeof open> | undefined
export const backend = () => (opened ??= open())
