/** This service, built, in front of a provider: started, asked for, ended. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const main = new URL('../../dist/doors/cli.js', import.meta.url).pathname

/** What it needs of the environment and nothing else: no key of the operator's own. */
export async function openHouse({ root, provider, settings = {} }) {
  mkdirSync(root, { recursive: true })
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    THROUGHLINE_DB: join(root, 'throughline.db'),
    THROUGHLINE_ANTHROPIC_BASE_URL: provider,
    THROUGHLINE_OPENAI_BASE_URL: provider,
    THROUGHLINE_GOOGLE_BASE_URL: provider,
    THROUGHLINE_DETECT_MODELS: 'false',
    THROUGHLINE_DEMO: 'false',
    THROUGHLINE_LOG_FORM: 'json',
    ...settings,
  }
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  const port = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      told += chunk
      const found = /"event":"server-started".*?"port":(\d+)/.exec(told)
      if (found) resolve(Number(found[1]))
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.on('exit', () => reject(new Error(told)))
  })
  const close = () =>
    new Promise((resolve) => {
      child.on('exit', resolve)
      child.kill('SIGTERM')
    })
  const cli = (...args) => runCli(env, args)
  return {
    url: `http://127.0.0.1:${port}`,
    /** How a client starts our MCP server, on the same database. */
    server: { command: process.execPath, args: [main, 'mcp'], env: { THROUGHLINE_DB: env.THROUGHLINE_DB } },
    pid: child.pid,
    close,
    cli,
    told: () => told,
    kill: () => child.kill('SIGKILL'),
  }
}

function runCli(env, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (out += chunk))
    child.on('close', (code) => resolve({ code, out }))
  })
}
