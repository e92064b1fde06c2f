// npm run executable: one file with Node and everything in it, in release/, and a try of it where there is no Node at all.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serialize } from 'node:v8'
import { brotliCompressSync, constants } from 'node:zlib'
import { prepare } from './lib/prepare.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, npm, root, run } from './lib/run.mjs'

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const platform = `${process.platform}-${process.arch}`
const out = join(root, 'release', `${name}-${version}-${platform}`)
/** The first with SQLite, require of modules and this kind of file, and the newest that is kept up for long. */
const line = '24'
const desk = mkdtempSync(join(tmpdir(), 'throughline-executable-'))

try {
  if (process.platform !== 'linux') throw new Error('Only Linux is tried: macOS and Windows want such a file signed.')
  await prepare()
  const node = await step(`fetch Node ${line} and postject`, fetched)
  await step('put everything into one file', () => united(node))
  say(`  ${relative(root, out)}: ${(statSync(out).size / 1e6).toFixed(0)} MB`)
  await step('try it in a blank home, with no Node on the path', tried)
} catch (error) {
  fail(error)
} finally {
  rmSync(desk, { recursive: true, force: true })
}

async function fetched() {
  writeFileSync(join(desk, 'package.json'), '{"private":true}')
  const packages = [`node@npm:node-${platform}@${line}`, 'postject@1.0.0-alpha.6']
  await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: desk })
  return join(desk, 'node_modules', 'node', 'bin', 'node')
}

async function united(node) {
  const files = [...shipped()].map((path) => [path, readFileSync(join(root, path))])
  const bytes = serialize(new Map(files))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  writeFileSync(join(desk, 'files'), brotliCompressSync(bytes, { params }))
  writeFileSync(join(desk, 'hash'), hash)
  const config = {
    main: join(root, 'scripts', 'lib', 'launch.cjs'),
    output: join(desk, 'blob'),
    disableExperimentalSEAWarning: true,
    assets: { files: join(desk, 'files'), hash: join(desk, 'hash') },
  }
  writeFileSync(join(desk, 'sea.json'), JSON.stringify(config))
  await run(node, ['--experimental-sea-config', join(desk, 'sea.json')], { cwd: desk })
  mkdirSync(join(root, 'release'), { recursive: true })
  copyFileSync(node, out)
  chmodSync(out, 0o755)
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  const postject = join(desk, 'node_modules', 'postject', 'dist', 'cli.js')
  await run(process.execPath, [postject, out, 'NODE_SEA_BLOB', join(desk, 'blob'), '--sentinel-fuse', fuse])
}

/** What the package ships, and the one package that it needs beside Node's own SQLite. */
function* shipped() {
  yield 'package.json'
  for (const folder of ['dist/doors', 'dist/web', 'dist/recall/table', 'site/dist', 'node_modules/zod'])
    if (existsSync(join(root, folder)))
      for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !/\.(d\.[cm]?ts|map|ts)$/.test(entry.name))
          yield relative(root, join(entry.parentPath, entry.name))
}

async function tried() {
  const home = join(desk, 'home')
  mkdirSync(home)
  const env = { PATH: '/nowhere', HOME: home, XDG_CACHE_HOME: '', THROUGHLINE_DETECT_MODELS: 'false' }
  const told = await run(out, ['--version'], { cwd: home, env })
  if (!told.stdout.includes(version)) throw new Error(`--version says ${told.stdout}`)
  const chat = join(home, 'tea.md')
  writeFileSync(chat, '## User\n\nWhich tea?\n\n## Assistant\n\nOolong.\n')
  const taken = await run(out, ['import', chat], { cwd: home, env })
  if (!taken.stdout.includes('2 added')) throw new Error(`import says ${taken.stdout}`)
  const served = await serve(home, env)
  try {
    const ask = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = (message) => ({ ...ask, body: JSON.stringify({ session_id: 'demo', message }) })
    await fetch(`${served.url}/chat`, body('My cat is called Miso.'))
    const answer = await (await fetch(`${served.url}/chat`, body('What is my cat called?'))).text()
    if (!answer.includes('Miso')) throw new Error(`/chat says ${answer}`)
    const page = await fetch(served.url)
    if (!(await page.text()).includes('<script')) throw new Error('the app is not there')
  } finally {
    served.child.kill('SIGTERM')
  }
  say('  --version, import, serve with /chat and the app')
}

function serve(cwd, env) {
  const child = spawn(out, ['serve', '--port', '0'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const url = /address +(http:\S+)/.exec(said)?.[1]
      if (url && said.includes('Ctrl-C')) resolve({ url, child })
    })
    child.on('close', () => reject(new Error(`the service did not start: ${said}`)))
  })
}
