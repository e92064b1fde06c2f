// Your Express app with conversations under /talk: your users, your routes, one line for the service.
import express from 'express'
import { openService, toNodeHandler } from 'throughline/http'
import { openModels } from 'throughline/models'
import { sqliteStore } from 'throughline/sqlite'

const app = express()
app.get('/', (_request, response) => response.send('my own page'))

const service = await openService({
  store: await sqliteStore(process.env.DB ?? 'chat.db'),
  models: await openModels(), // the keys in the environment; without any, a built-in responder that quotes the chat
  basePath: '/talk',
  // whoever is logged in sees their own conversations and nobody else's
  auth: (request) => {
    const user = request.headers.get('x-user')
    return user ? { workspace: user, scope: 'write' } : null
  },
})
app.use(toNodeHandler(service))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
)
