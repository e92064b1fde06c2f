/** Runs one agent once: a home and a folder of its own, a clean environment, a time limit; never outside of loopback. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Throws where anything but loopback could be reached. */
export function assertAlone() {
  const routes = execFileSync('ip', ['route'], { encoding: 'utf8' }).trim()
  if (routes !== '') throw new Error('agents run only where the network is loopback and nothing else')
}

/** A place for a session: its turns share home and folder. */
export function placeFor(client, { root, url, cache, server }) {
  const [home, work] = [join(root, 'home'), join(root, 'work')]
  mkdirSync(home, { recursive: true })
  mkdirSync(work, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: work })
  const env = client.setup(home, url, work, server)
  return { client, work, env: { PATH: pathFor(client, cache), HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', ...env } }
}

/** Where its program is found, and the Node that it needs. */
export function pathFor(client, cache) {
  const modules = (name) => join(cache, name, 'node_modules')
  return [
    ...(client.node === 22 ? [join(modules('node'), '.bin')] : []),
    join(modules(client.package.replaceAll('/', '+')), '.bin'),
    process.env.PATH,
  ].join(':')
}

export function turn({ client, work, env }, kind, prompt, seconds = 240) {
  assertAlone()
  return new Promise((resolve) => {
    const child = spawn(client.bin, client[kind](prompt), {
      cwd: work,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), seconds * 1_000)
    child.on('error', (error) => (err += String(error)))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: signal ?? code, out, err })
    })
  })
}
