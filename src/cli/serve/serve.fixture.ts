/** Servers as processes of their own, and a model that answers as slowly as a test needs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { desk, start } from '../cli.fixture.js'

export interface Served {
  readonly url: string
  readonly pid: number
  /** Everything it has printed so far. */
  readonly out: () => string
  readonly err: () => string
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  readonly ended: Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly milliseconds: number
}

export const freshDb = (): string => join(desk().folder, 'served.db')

/** Any free port unless told otherwise, and no models but the one that is built in. */
export async function served(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const port = args.includes('--port') || args.includes('-') ? [] : ['--port', '0']
  const child = start(['serve', ...port, ...args.filter((arg) => arg !== '-')], {
    env: { THROUGHLINE_DETECT_MODELS: 'false', THROUGHLINE_DEMO: 'false', ...env },
    cwd: desk().folder,
  })
  let [out, err, asked] = ['', '', 0]
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, milliseconds: performance.now() - asked })),
  )
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      err += chunk
      const found = /address +(http:\S+)/.exec(err)?.[1]
      if (found && err.includes('Ctrl-C')) resolve(found)
    })
    void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${err}`)))
  })
  return {
    url,
    pid: child.pid as number,
    out: () => out,
    err: () => err,
    ended,
    stop(signal = 'SIGTERM') {
      asked = performance.now()
      child.kill(signal)
      return ended
    },
  }
}

/** One turn of `POST /chat`. */
export async function chat(url: string, session: string, message: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ session_id: session, message }),
  })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
}

export interface SlowModel {
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** Speaks OpenAI Chat Completions: a word at a time, or the answer that is given. */
export async function slowModel(everyMs: number, fault?: { status: number; body: string }): Promise<SlowModel> {
  const server = createServer((request, response) => {
    request.resume()
    if (fault) {
      response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.body)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let word = 0
    const timer = setInterval(() => {
      const delta = { content: `word${word++} ` }
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`,
      )
    }, everyMs)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    env: {
      THROUGHLINE_PROVIDERS: JSON.stringify({ slow: { url, models: ['one'] } }),
      THROUGHLINE_MODEL: 'slow/one',
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const open: Served[] = []

/** A server that `downAll` ends. */
export async function up(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const one = await served(args, env)
  open.push(one)
  return one
}

export async function downAll(): Promise<void> {
  await Promise.all(open.splice(0).map(({ stop }) => stop('SIGKILL')))
}

/** Waits until the server has logged the event. */
export const said = (server: Served, event: string) =>
  expect.poll(server.out, { timeout: 15_000 }).toContain(`"event":"${event}"`)
