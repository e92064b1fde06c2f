// npm run tutorials [-- NAME]: each tutorial as it is written, line by line, in a blank folder and a blank home with the packed
// package, and how long it takes until something works and until its end. A reader reads and types besides.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fences } from './lib/markdown.mjs'
import { prepare } from './lib/prepare.mjs'
import { seconds, step } from './lib/progress.mjs'
import { fail, npm, root, run } from './lib/run.mjs'
import { script } from './lib/sandbox.mjs'

const folder = join(root, 'docs', 'tutorials')
const [only] = process.argv.slice(2)
const desk = mkdtempSync(join(tmpdir(), 'throughline-tutorials-'))

try {
  await prepare()
  const tarball = await step('pack', pack)
  const rows = []
  for (const file of readdirSync(folder).sort())
    if (only === undefined || file.includes(only)) rows.push(await tutorial(file, tarball))
  for (const { name, first, whole, ran, shown } of rows)
    process.stdout.write(
      `${name.padEnd(14)} first success ${seconds(first).padStart(6)}, whole ${seconds(whole).padStart(6)}; ${ran} blocks run, ${shown} only shown\n`,
    )
} catch (error) {
  fail(error)
} finally {
  rmSync(desk, { recursive: true, force: true })
}

async function pack() {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', desk])
  const found = JSON.parse(stdout)
  const [{ filename }] = Array.isArray(found) ? found : Object.values(found)
  return join(desk, filename)
}

async function tutorial(file, tarball) {
  const name = file.replace('.md', '')
  const home = join(desk, name)
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }))
  const provider = await openProvider()
  const port = await freePort()
  const env = {
    HOME: home,
    PATH: [bin, join(home, '.local', 'bin'), process.env.PATH].join(delimiter),
    ...{ npm_config_prefix: join(home, '.local'), npm_config_update_notifier: 'false', npm_config_audit: 'false' },
    ...{ NO_COLOR: '1', TZ: 'UTC', COLUMNS: '100', THROUGHLINE_DETECT_MODELS: 'false' },
    // the port of the tutorial may be taken here, and its agent asks a provider that answers on this machine
    ...{ THROUGHLINE_PORT: String(port), THROUGHLINE_ANTHROPIC_BASE_URL: provider.url },
  }
  standIn(bin)
  const blocks = fences(readFileSync(join(folder, file), 'utf8'))
  const background = []
  let [ran, shown, first] = [0, 0, null]
  const began = performance.now()
  try {
    await step(name, async () => {
      for (const [i, block] of blocks.entries()) {
        if (block.lang === 'text') continue
        if (block.lang !== 'sh' && !block.info.includes('run')) {
          shown++
          continue
        }
        const printed = await runBlock(block, { home, env, tarball, background, i })
        const after = blocks[i + 1]
        if (after?.lang === 'text' && after.info.includes('output')) {
          const wanted = after.body.replaceAll('7333', String(port)).trim()
          if (printed.trim() !== wanted)
            throw new Error(`line ${block.line} printed\n${printed}\nand should print\n${wanted}`)
          first ??= performance.now() - began
        }
        ran++
      }
    })
    return { name, first, whole: performance.now() - began, ran, shown }
  } finally {
    for (const child of background) child.kill('SIGTERM')
    provider.close()
  }
}

async function runBlock({ lang, body, line }, { home, env, tarball, background, i }) {
  if (lang !== 'sh') {
    const file = join(home, `block-${i}.mjs`)
    writeFileSync(file, await script(lang, body))
    return (await run(process.execPath, [file], { cwd: home, env })).stdout
  }
  let printed = ''
  for (const written of body.split('\n')) {
    // until the package is published under its name, the name is the tarball
    const command = written
      .replace(/\s+#.*$/, '')
      .replace(/^(npm install .*)\bthroughline$/, `$1${tarball}`)
      .trim()
    if (command === '' || command.startsWith('#')) continue
    if (/^throughline serve\b/.test(command)) background.push(await serve(command, home, env))
    else printed += (await run('sh', ['-e', '-c', command], { cwd: home, env })).stdout
  }
  if (printed.trim() === '' && background.length === 0 && !body.includes('npm install'))
    throw new Error(`line ${line}: nothing was printed`)
  return printed
}

function serve(command, cwd, env) {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C')) resolve(child)
    })
    child.on('close', () => reject(new Error(`the service did not start: ${said}`)))
  })
}

/** `claude` where there is none: reads the settings that `connect` wrote, and sends what the agent would. */
function standIn(bin) {
  const body = `#!${process.execPath}
import { readFileSync } from 'node:fs'
const { env } = JSON.parse(readFileSync(process.env.HOME + '/.claude/settings.json', 'utf8'))
const headers = { 'content-type': 'application/json', 'x-api-key': 'sk-none', 'anthropic-version': '2023-06-01' }
const messages = [{ role: 'user', content: process.argv[2] }]
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 100, messages })
fetch(env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
  .then((answer) => answer.json())
  .then(({ content }) => console.log(content[0].text))
`
  writeFileSync(join(bin, 'claude'), body)
  chmodSync(join(bin, 'claude'), 0o755)
}

async function openProvider() {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    const usage = { input_tokens: 12, output_tokens: 8 }
    const content = [{ type: 'text', text: 'The orders test waits for a missing index.' }]
    const about = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      stop_reason: 'end_turn',
    }
    response.end(JSON.stringify({ ...about, stop_sequence: null, content, usage }))
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function listening(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
}

async function freePort() {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
