// Your Hono app with conversations under /talk. The service is a function from Request to Response, as Hono is.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { sqliteStore } from 'throughline/sqlite'

const service = await openService({
  store: await sqliteStore(process.env.DB ?? 'chat.db'),
  models: await openModels(),
  basePath: '/talk',
  auth: (request) => {
    const user = request.headers.get('x-user')
    return user ? { workspace: user, scope: 'write' } : null
  },
})

const app = new Hono().get('/', (c) => c.text('my own page')).all('/talk/*', (c) => service.fetch(c.req.raw))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
)
