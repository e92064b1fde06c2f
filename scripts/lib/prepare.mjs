// Makes a fresh clone ready: the right Node, the dependencies, the build. Only Node built-ins are used here.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { canInstall, findChromium, installChromium } from './chromium.mjs'
import { bundleDoors } from './doors.mjs'
import { say, step } from './progress.mjs'
import { CommandError, npm, root, tsc } from './run.mjs'

const manifest = readJson(join(root, 'package.json'))
const cache = join(root, 'node_modules', '.cache', 'throughline')
const stamp = join(cache, 'build')

export async function prepare({ build = true } = {}) {
  checkNode()
  await install(root)
  if (build && !built()) await alone(async () => built() || step('build dist', compile))
}

/** What the tests need: the build, the clients of other people, and a browser if it can be had. */
export async function prepareTests() {
  await prepare()
  await install(join(root, 'test', 'clients'), 'the clients of the tests')
  if (findChromium() !== null || !canInstall) return
  // without it the tests of the app are skipped, and the end of the run says so
  await step('install Chromium', installChromium).catch((error) => say(error.message))
}

/** Installs a package's dependencies unless what is there already matches its lock file. */
export async function install(folder, name = 'dependencies') {
  if (installed(folder)) return
  const command = agrees(folder) ? 'ci' : 'install'
  const run = (...words) =>
    npm([...words, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  // a lock file made where a registry lacks some platforms is refused by `npm ci`, and good enough for this one
  const anyway = (error) => (/EUSAGE/.test(error.output ?? '') ? run('install', '--no-save') : Promise.reject(error))
  try {
    await step(`install ${name} (npm ${command})`, () => run(command).catch(anyway))
  } catch (error) {
    const why = advice(error.output ?? '')
    throw new CommandError(`Could not install ${name} in ${folder}. ${why}`, error.code, error.output)
  }
}

function checkNode() {
  const floor = manifest.engines.node.replace('>=', '')
  const [major, minor] = floor.split('.').map(Number)
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return
  throw new Error(
    `Throughline needs Node ${floor} or newer; this is Node ${process.versions.node}. See https://nodejs.org`,
  )
}

/** npm leaves a copy of the lock file in node_modules when an install has ended well. */
function installed(folder) {
  const found = readJson(join(folder, 'node_modules', '.package-lock.json'))
  if (!found || !agrees(folder)) return false
  const wanted = readJson(join(folder, 'package-lock.json'))
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) => path === '' || optional || found.packages[path]?.version === version,
  )
}

/** Whether the lock file was made for the dependencies that package.json has now. */
function agrees(folder) {
  const declared = readJson(join(folder, 'package.json'))
  const locked = readJson(join(folder, 'package-lock.json'))?.packages['']
  return ['dependencies', 'devDependencies'].every(
    (field) => locked && canonical(declared[field]) === canonical(locked[field]),
  )
}

const canonical = (record) => JSON.stringify(Object.entries(record ?? {}).sort())

const built = () => existsSync(join(root, 'dist')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()

/** One build at a time, whoever starts it; a lock that a dead process left behind is broken after a minute. */
async function alone(work) {
  const lock = join(cache, 'lock')
  mkdirSync(cache, { recursive: true })
  while (!take(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 60_000) rmSync(lock, { recursive: true, force: true })
    await setTimeout(100)
  }
  try {
    await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function take(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

async function compile() {
  const print = fingerprint()
  const next = join(cache, `build-${process.pid}`)
  const old = join(cache, `old-${process.pid}`)
  try {
    await tsc(['-p', 'tsconfig.build.json', '--outDir', next])
    await bundle(join(next, 'web'))
    cpSync(join(root, 'src', 'recall', 'table'), join(next, 'recall', 'table'), { recursive: true })
    await bundleDoors(next, manifest, root)
    // the new build takes the place of the old one only when it is whole
    if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
    renameSync(next, join(root, 'dist'))
    writeFileSync(stamp, print)
  } catch (error) {
    throw new CommandError('The build failed', error.code, error.output ?? String(error))
  } finally {
    rmSync(next, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true })
  }
}

/** The app: one script, what it loads on demand, one style; names carry a hash of the content. */
async function bundle(folder) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['web/main.tsx'],
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  await bundleWorker(build, folder, Object.keys(metafile.outputs))
  await bundleStill(build, folder)
  cpSync(join(root, 'web', 'app.webmanifest'), join(folder, 'assets', 'app.webmanifest'))
  const made = Object.entries(metafile.outputs)
  const [script, { cssBundle }] = made.find(([, output]) => output.entryPoint === 'web/main.tsx')
  const name = (path) => `/assets/${path.split('/').at(-1)}`
  const page = readFileSync(join(root, 'web', 'index.html'), 'utf8')
  // what the script imports at once is asked for with it, not after it was read
  const beside = [...atOnce(metafile.outputs, script)].filter((path) => path !== script)
  const ahead = beside.map((path) => `<link rel="modulepreload" href="${name(path)}">`).join('\n    ')
  writeFileSync(
    join(folder, 'index.html'),
    page
      .replace('/main.css', name(cssBundle))
      .replace('/main.js', name(script))
      .replace('  </head>', `    ${ahead}\n  </head>`),
  )
}

/** Its name stays, because the browser asks for it again by name; what it keeps is named by what it holds. */
async function bundleWorker(build, folder, outputs) {
  const files = outputs.map((path) => `/assets/${path.split('/').at(-1)}`).sort()
  const list = JSON.stringify([...files, '/assets/icon.svg', '/assets/app.webmanifest'])
  await build({
    absWorkingDir: root,
    entryPoints: ['web/sw.ts'],
    outfile: join(folder, 'assets', 'sw.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { FILES: list, BUILD: JSON.stringify(createHash('sha256').update(list).digest('hex').slice(0, 12)) },
    logLevel: 'silent',
  })
}

/** For the server, which draws shared pages with it. */
async function bundleStill(build, folder) {
  await build({
    absWorkingDir: root,
    entryPoints: ['web/still.tsx'],
    outfile: join(folder, 'still.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['production'],
    target: 'node20',
    jsx: 'automatic',
    loader: { '.css': 'text' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
}

function atOnce(outputs, path, seen = new Set()) {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { kind, path: next } of outputs[path].imports) if (kind === 'import-statement') atOnce(outputs, next, seen)
  return seen
}

/** A hash over every file that the build reads: newer, older, moved or deleted, any change shows. */
function fingerprint() {
  const hash = createHash('sha256')
  const settings = [
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
    'package-lock.json',
    'scripts/lib/doors.mjs',
  ]
  const inputs = [...settings, ...sources('src'), ...sources('web')]
  for (const path of inputs)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|fixture)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read: ${error.message}`)
  }
}

function advice(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EIDLETIMEOUT|network/i.test(output))
    return 'The package registry did not answer: check the connection and the proxy settings (npm config get proxy), then run this again.'
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'A folder could not be written: make sure that this folder and the npm cache (npm config get cache) belong to you, then run this again.'
  if (/ENOSPC/.test(output)) return 'The disk is full: free some space, then run this again.'
  return 'The output of npm above says why.'
}
