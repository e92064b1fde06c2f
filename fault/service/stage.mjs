// Servers of the build under test as processes of their own, a model for them, and what a reader of events needs.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from '../lib/dice.mjs'
import { postgres } from '../lib/typescript.mjs'

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Speaks OpenAI Chat Completions. What it says follows from the message `say <name> <words> <ms between words>`. */
export async function startModel() {
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const [, name, words, every] = /say (\S+) (\d+) (\d+)/.exec(JSON.parse(body).messages.at(-1).content) ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta, finish_reason = null) => {
      const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }
      return response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    const gone = once(response, 'close')
    for (const word of wordsOf(name, Number(words))) {
      if (response.destroyed) return
      if (!send({ content: word })) await Promise.race([once(response, 'drain'), gone])
      if (Number(every) > 0) await pause(Number(every))
    }
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/v1`
  const env = {
    THROUGHLINE_PROVIDERS: JSON.stringify({ lab: { url, models: ['one'] } }),
    THROUGHLINE_MODEL: 'lab/one',
    THROUGHLINE_DETECT_MODELS: 'false',
  }
  return {
    env,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const once = (emitter, name) => new Promise((resolve) => emitter.once(name, resolve))

/** The words of an answer: different each time, with characters of one to four bytes. */
export function* wordsOf(name, count) {
  for (let i = 0; i < count; i++) yield `${textOf('answer', `${name}.${i}`, [12, 400])} é漢🧵 `
}

export const answerOf = (name, count) => [...wordsOf(name, count)].join('')

/** The longest that anything has held the loop of a server, as the servers themselves tell, and how long it was at work for that. */
export const hold = { longestMs: 0, busyMs: 0 }

async function readHold(url) {
  const told = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.text(),
    String,
  )
  const seconds = Number(/event_loop_longest_seconds\S* ([\d.e-]+)/.exec(told)?.[1] ?? 0)
  hold.longestMs = Math.max(hold.longestMs, Math.round(seconds * 1_000))
}

/** A server on a port of its own, or on the one that is given. */
export async function startReplica({ db, env = {}, port = 0 }) {
  const main = join(process.env.THROUGHLINE_FAULT_DIST, 'cli', 'main.js')
  const folder = mkdtempSync(join(tmpdir(), 'throughline-held-'))
  const held = join(folder, 'ms')
  const loaded = { NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import ${new URL('../lib/held.mjs', import.meta.url)}` }
  const child = spawn(process.execPath, ['--no-warnings', main, 'serve', '--port', String(port), '--db', db], {
    env: {
      ...process.env,
      THROUGHLINE_RUN_LEASE_SECONDS: '2',
      THROUGHLINE_LOG_LEVEL: 'error',
      ...env,
      ...loaded,
      THROUGHLINE_FAULT_HELD: held,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.stdout.resume()
  let said = ''
  const ended = new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      running.delete(child)
      if (signal === 'SIGABRT') process.stderr.write(`${said.slice(-2_000)}\n`)
      resolve({ code, signal })
    }),
  )
  const url = await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
      const found = /address +(http:\S+)/.exec(said)?.[1]
      if (found && said.includes('Ctrl-C')) resolve(found)
    })
    ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  const watch = setInterval(() => readHold(url), 500).unref()
  ended.then(() => {
    clearInterval(watch)
    if (existsSync(held)) hold.busyMs = Math.max(hold.busyMs, Number(readFileSync(held, 'utf8')))
    rmSync(folder, { recursive: true, force: true })
  })
  const kill = (signal) => {
    child.kill(signal)
    return ended
  }
  return { url, pid: child.pid, child, ended, kill, held }
}

/** A place for the data of two servers, and what ends it. */
export async function databaseFor(kind, folder) {
  if (kind === 'sqlite') return { db: join(folder, `${kind}.db`), close: async () => {} }
  const server = await postgres()
  return server.reason ? server : { db: server.url, close: () => server.stop() }
}

export async function call(url, method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? null : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

export const begin = async (url, conversation, message) => {
  await call(url, 'POST', '/api/v1/conversations', { id: conversation })
  const { status, body } = await call(url, 'POST', `/api/v1/conversations/${conversation}/runs`, { message })
  if (status !== 201) throw new Error(`the run was not started: ${status} ${JSON.stringify(body)}`)
  return body.run ?? body
}

/** Reads a stream until it ends, or until so many bytes have come, or the reader is called off. Never throws. */
export function read(url, path, { bytes = Number.POSITIVE_INFINITY, after, signal, onData = () => {} } = {}) {
  return new Promise((resolve) => {
    const chunks = []
    let size = 0
    const done = (how) => resolve({ how, text: Buffer.concat(chunks) })
    const headers = {
      accept: 'text/event-stream',
      ...(after === undefined ? null : { 'last-event-id': String(after) }),
    }
    const sent = request(url + path, { headers, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) {
        response.resume()
        return done(response.statusCode)
      }
      response.on('data', (chunk) => {
        const part = chunk.subarray(0, bytes - size)
        chunks.push(part)
        size += part.length
        onData(part)
        if (size < bytes) return
        sent.destroy()
        done('cut')
      })
      response.on('end', () => done('end'))
      response.on('error', () => done('broken'))
    })
    sent.on('error', () => done('broken'))
    sent.end()
  })
}

/** The whole events of a stream that may have been cut anywhere, each with its own bytes. */
export function framesOf(buffer) {
  const end = buffer.lastIndexOf('\n\n')
  if (end < 0) return []
  return buffer
    .subarray(0, end)
    .toString('utf8')
    .split('\n\n')
    .filter((frame) => /^event: /m.test(frame))
    .map((text) => ({
      text,
      id: Number(/^id: (\d+)$/m.exec(text)?.[1]),
      type: /^event: (.+)$/m.exec(text)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null'),
    }))
}

export const textIn = (frames) => frames.map(({ type, data }) => (type === 'text-delta' ? data.text : '')).join('')

export const messagesOf = async (url, conversation) =>
  (await call(url, 'GET', `/api/v1/conversations/${conversation}/messages?limit=100`)).body.items

export const plainText = (message) => message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

export async function until(what, ms = 20_000) {
  const deadline = performance.now() + ms
  for (;;) {
    const found = await what().catch(() => null)
    if (found) return found
    if (performance.now() > deadline) return null
    await pause(50)
  }
}

/** The run once it is over, seen from a server; null when it does not end. */
export const endOf = (url, path) =>
  until(async () => {
    const { body } = await call(url, 'GET', path)
    return body.state === 'active' ? null : body
  })
