/** A model that says a few words and then nothing, for as long as it is let. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function slowModel() {
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/v1/models') {
      response.end('{"data":[{"id":"slow"}]}')
      return
    }
    open.add(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Once upon a time' } }] }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    open,
    env: { THROUGHLINE_PROVIDERS: JSON.stringify({ lab: { url, models: ['slow'] } }) },
    close() {
      for (const one of open) one.destroy()
      server.close()
    },
  }
}
