// npm run examples: packs the package, installs it beside each example in a blank folder, and uses the example as a person would.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findChromium } from './lib/chromium.mjs'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, node, npm, root, run } from './lib/run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'throughline-examples-'))
const children = []

try {
  await prepare()
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const packed = JSON.parse(stdout)
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed)
  const tarball = join(folder, filename)
  await servers(tarball)
  await python()
  await next(tarball)
} catch (error) {
  fail(error)
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function servers(tarball) {
  const here = join(folder, 'servers')
  cpSync(join(root, 'examples', 'servers'), here, { recursive: true })
  writeFileSync(join(here, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = [tarball, 'express', 'hono', '@hono/node-server']
  await step('install the servers', () => npm(['install', '--no-audit', '--no-fund', ...packages], { cwd: here }))
  for (const name of ['express', 'hono'])
    await step(`use ${name}`, async () => {
      const url = await started([join(here, `${name}.mjs`)], { PORT: '0', DB: join(here, `${name}.db`) })
      expect(await (await fetch(url)).text(), 'my own page')
      const ask = async (user, message) => {
        const headers = { 'content-type': 'application/json', ...(user && { 'x-user': user }) }
        const body = JSON.stringify({ session_id: 'cat', message })
        const answer = await fetch(`${url}/talk/chat`, { method: 'POST', headers, body })
        return answer.ok ? (await answer.json()).response : String(answer.status)
      }
      expect(await ask(null, 'Who am I?'), '401')
      await ask('ann', 'My cat is called Miso.')
      expect(await ask('ann', 'What is my cat called?'), /Miso/)
      expect(await ask('bob', 'What is my cat called?'), /^(?!.*Miso)/s)
    })
}

async function python() {
  const found = await run('python3', ['--version']).catch(() => null)
  if (!found) return say('python3 is not here: its example was not run')
  await step('use Python', async () => {
    const url = await started(
      [join(root, 'dist', 'cli', 'main.js'), 'serve', '--port', '0', '--db', join(folder, 'python.db')],
      {},
    )
    const { stdout } = await run('python3', [join(root, 'examples', 'python', 'chat.py'), url])
    expect(stdout, /Miso[\s\S]*Miso[\s\S]*Miso[\s\S]*saw 3 of 3 messages/)
  })
}

async function next(tarball) {
  const browser = findChromium()
  if (browser === null) return say('Chromium is not here: the Next.js example was not run')
  const here = join(folder, 'next')
  mkdirSync(here)
  cpSync(join(root, 'examples', 'next'), here, { recursive: true })
  await step('install Next.js', () => npm(['install', '--no-audit', '--no-fund', tarball], { cwd: here }))
  const command = join(here, 'node_modules', 'next', 'dist', 'bin', 'next')
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', DB: join(here, 'chat.db') }
  await step('build with Next.js', () => node([command, 'build'], { cwd: here, env }))
  await step('use Next.js in Chromium', async () => {
    const url = await started([command, 'start', '-p', '0', '-H', '127.0.0.1'], env, here)
    const { chromium } = await import('playwright-core')
    const args = ['--no-sandbox', '--disable-background-networking']
    const opened = await chromium.launch({ executablePath: browser, args })
    try {
      const page = await opened.newPage()
      await page.goto(url)
      const ask = async (text) => {
        await page.getByLabel('Message').fill(text)
        await page.getByRole('button', { name: 'Send' }).click()
      }
      await ask('The hotel is called Miramar.')
      await page.getByText('Noted:').waitFor()
      await page.reload()
      await page.getByText('Noted:').waitFor()
      await ask('What is the hotel called?')
      await page.getByText('Earlier in this conversation').waitFor()
    } finally {
      await opened.close()
    }
  })
}

/** The address that a server prints first. */
function started(args, env, cwd = folder) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    const printed = []
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line)
        const [url] = /http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*/.exec(line) ?? []
        if (url) resolve(url)
      })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed.join('\n')}`)))
  })
}

function expect(found, wanted) {
  const is = typeof wanted === 'string' ? found === wanted : wanted.test(found)
  if (!is) throw new Error(`It said ${JSON.stringify(found)} where ${wanted} was expected`)
}
