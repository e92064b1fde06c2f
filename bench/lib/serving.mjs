// A server of the build in a process of its own, and what asks it.
import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export async function keyFor(file, workspace) {
  const args = ['keys', 'create', '--workspace', workspace, '--scopes', 'admin', '--db', file, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args])
  return JSON.parse(stdout).key
}

export async function serve(file) {
  const env = {
    ...process.env,
    THROUGHLINE_LOG_LEVEL: 'error',
    THROUGHLINE_METRICS: 'true',
    THROUGHLINE_RATE_PER_MINUTE: '0',
  }
  const child = spawn(process.execPath, ['--no-warnings', main, 'serve', '--port', '0', '--db', file], { env })
  const url = await new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (found) resolve(found[0])
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  child.stdout.resume()
  const end = () => new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'))
  return { url, end, pid: child.pid }
}

export const post = (body) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** Reads the whole answer, into a file if one is given. */
export const askerOf =
  (url, key) =>
  async (path, { headers, ...request } = {}, into = null) => {
    const answer = await fetch(url + path, { ...request, headers: { ...headers, authorization: `Bearer ${key}` } })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    if (into) await pipeline(Readable.fromWeb(answer.body), createWriteStream(into))
    else await answer.arrayBuffer()
  }

/** The number of a metric of the server. */
export async function metricOf(url, key, name) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await answer.text())?.[1])
}
