/**
 * A provider that follows a script and enforces the rules of the real ones: four dialects, sizes, pairing, cache marks.
 * Run with a port; everything it was sent is kept in a file, one JSON a line.
 */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cacheOf } from './cache.mjs'
import { dialects, inputFor, offeredIn } from './dialects.mjs'

/**
 * `steps`: what the model does, one step a request of the talk: `{ call: 'command' }` or `{ say: 'text' }`; the last one goes on
 * for ever. `limit`: most tokens of a request, null for any number.
 */
export function openProvider({ steps, limit = null, log = null, fault = null }) {
  const seen = []
  const cache = cacheOf()
  let step = 0
  const answer = async (request, response) => {
    const bytes = await bytesOf(request)
    const { pathname } = new URL(request.url, 'http://provider')
    const name = Object.keys(dialects).find((one) => dialects[one].path.test(pathname))
    const note = { method: request.method, url: request.url, headers: request.headers, body: bytes.toString() }
    const keep = (more) => {
      const line = { ...note, dialect: name ?? null, ...more }
      seen.push(line)
      if (log) appendFileSync(log, `${JSON.stringify(line)}\n`)
    }
    const refuse = (dialect, status, type, message, headers = {}) => {
      keep({ status, refused: message })
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(dialect.error(status, type, message)))
    }
    if (!name) {
      keep({ status: 404 })
      response.writeHead(404).end('{"error":{"message":"not found"}}')
      return
    }
    const dialect = dialects[name]
    const body = JSON.parse(note.body)
    const told = fault?.(seen.length, name)
    if (told) return refuse(dialect, told.status, told.type, told.message, told.headers)
    const broken = dialect.check(body)
    if (broken) return refuse(dialect, 400, 'invalid', broken)
    const tokens = Math.ceil(dialect.counted(body) / 4)
    if (dialect.counts?.test(pathname)) {
      keep({ status: 200, tokens })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(dialect.count(tokens)))
      return
    }
    if (limit !== null && tokens > limit) return refuse(dialect, 400, 'overflow', dialect.overflow(tokens, limit))
    const tool = dialect.shell(body)
    const side = tool === null || dialect.isSide(body, request.headers)
    const now = side ? { say: sideText(note.body, dialect, body) } : steps[Math.min(step, steps.length - 1)]
    // what is behind a search for tools is searched for first, without a step forward
    const offered = now.tool && tool !== null ? (offeredIn(name, body, now) ?? waiting(tool)) : null
    const before = steps[Math.min(step, steps.length) - 1]
    const newest = dialect.newestResult(body)
    const blind = !side && before?.expect && !newest.includes(before.expect)
    if (!side && !offered?.isSearch) step++
    const usage = { input: tokens, output: 20, cached: cache(name, body) }
    keep({
      status: 200,
      tokens,
      side,
      usage,
      step: side ? null : step - 1,
      blind: Boolean(blind),
      newest: newest.length,
    })
    response.on('close', () => response.writableFinished || keep({ left: true }))
    const said =
      now.call || now.tool
        ? { text: `Step ${step}.`, call: offered ?? { tool, input: inputFor(tool, now.call) } }
        : { text: now.say }
    const stream = dialect.streams(body, pathname)
    response.writeHead(200, {
      'content-type': stream ? 'text/event-stream' : 'application/json',
      'x-provider': 'scripted',
    })
    if (!stream) return response.end(JSON.stringify(dialect.whole(said, usage, body)))
    for (const event of dialect.events(said, usage, body)) {
      response.write(event)
      if (now.slow) await new Promise((resolve) => setTimeout(resolve, now.slow))
    }
    response.end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error?.stack) } }))
    })
  })
  const listening = (port = 0) =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server.address().port)))
  return {
    listening,
    seen,
    close: () => server.closeAllConnections() ?? new Promise((resolve) => server.close(resolve)),
  }
}

/** A client need not wait for a tool server that starts slowly: then the model does. */
const waiting = (tool) => ({ tool, input: inputFor(tool, 'sleep 2'), isSearch: true })

/** A side call gets what it can read: JSON for a schema, a summary for a compaction, a few words otherwise. */
function sideText(raw, dialect, body) {
  if (dialect.wantsJson(body)) return '{"title":"A scripted talk","isNewTopic":true}'
  return /summary/i.test(raw) ? '<summary>The talk so far: the steps went well.</summary>' : 'A scripted talk'
}

async function bytesOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
